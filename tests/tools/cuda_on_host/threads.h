#pragma once
// A block's threads, each a coroutine, and its barriers.

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "types.h"

namespace cuda_on_host {

constexpr std::size_t stack_bytes = 128 << 10;
struct Thread {
  ucontext_t context;
  dim3 index;
  unsigned warp = 0, lane = 0;
  bool done = false;
  // What a thread waits for: a barrier's phase, or an exchange among `mask`.
  bool at_barrier = false, at_exchange = false;
  u32 mask = 0;
  u64 given = 0, taken[32];
};
inline Thread threads[1024];
inline char* stacks = nullptr;
inline Thread* current = nullptr;
inline ucontext_t scheduler;
inline unsigned thread_count = 0;
inline dim3 block_index, block_size, grid_size;
alignas(16) inline unsigned char dynamic_shared[48 << 10];
inline void (*body)() = nullptr;

inline void give_way() {
  swapcontext(&current->context, &scheduler);
}

inline void start() {
  body();
  current->done = true;
  swapcontext(&current->context, &scheduler);
}

// Opens the barrier when all threads that have not ended are at it.
inline void open_barrier() {
  for (unsigned i = 0; i < thread_count; ++i)
    if (!threads[i].done && !threads[i].at_barrier) return;
  for (unsigned i = 0; i < thread_count; ++i) threads[i].at_barrier = false;
}

inline void run_block() {
  for (unsigned i = 0; i < thread_count; ++i) {
    Thread& thread = threads[i];
    thread.done = thread.at_barrier = thread.at_exchange = false;
    thread.index = {i % block_size.x, i / block_size.x % block_size.y, i / block_size.x / block_size.y};
    thread.warp = i / 32;
    thread.lane = i % 32;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = stacks + i * stack_bytes;
    thread.context.uc_stack.ss_size = stack_bytes;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, start, 0);
  }
  for (bool left = true, moved = true; left;) {
    left = moved = false;
    for (unsigned i = 0; i < thread_count; ++i) {
      Thread& thread = threads[i];
      if (thread.done) continue;
      left = true;
      if (thread.at_barrier || thread.at_exchange) continue;
      moved = true;
      current = &thread;
      swapcontext(&scheduler, &thread.context);
    }
    open_barrier();
    if (!moved && left) {
      bool free = false;
      for (unsigned i = 0; i < thread_count; ++i)
        free |= !threads[i].done && !threads[i].at_barrier && !threads[i].at_exchange;
      if (!free) {
        std::fprintf(stderr, "threads wait for each other, at barriers and in masks:");
        for (unsigned i = 0; i < thread_count; ++i)
          if (!threads[i].done) std::fprintf(stderr, threads[i].at_barrier ? " b" : " %08x", threads[i].mask);
        std::fprintf(stderr, "\n");
        std::exit(3);
      }
    }
  }
}

template <typename Body>
void launch(dim3 grid, dim3 block, Body kernel) {
  static Body* called;
  called = &kernel;
  body = [] { (*called)(); };
  grid_size = grid;
  block_size = block;
  thread_count = block.x * block.y * block.z;
  if (stacks == nullptr) stacks = static_cast<char*>(std::malloc(1024 * stack_bytes));
  for (block_index.z = 0; block_index.z < grid.z; ++block_index.z)
    for (block_index.y = 0; block_index.y < grid.y; ++block_index.y)
      for (block_index.x = 0; block_index.x < grid.x; ++block_index.x) run_block();
}

// Gives a value to the lanes of `mask`, all of which call this, and waits for theirs: Thread::taken.
inline const u64* exchange(u32 mask, u64 value) {
  Thread* const warp = &threads[current->warp * 32];
  current->mask = mask;
  current->given = value;
  current->at_exchange = true;
  if ((mask >> current->lane & 1) == 0) {
    std::fprintf(stderr, "a lane is not in its own mask\n");
    std::exit(3);
  }
  bool all = true;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      const bool there = current->warp * 32 + lane < thread_count && !warp[lane].done;
      if (!there) {
        std::fprintf(stderr, "a mask names a lane that has ended\n");
        std::exit(3);
      }
      all &= warp[lane].at_exchange && warp[lane].mask == mask;
    }
  if (all) {
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) {
        for (unsigned from = 0; from < 32; ++from) warp[lane].taken[from] = mask >> from & 1 ? warp[from].given : 0;
        warp[lane].at_exchange = false;
      }
  } else {
    give_way();
  }
  return current->taken;
}

template <typename T>
u64 bits_of(T value) {
  u64 bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <typename T>
T from_bits(u64 bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Reading a lane outside the mask is an error of the generator.
template <typename T>
T taken_from(u32 mask, const u64* taken, unsigned source) {
  if ((mask >> source & 1) == 0) return from_bits<T>(0xdeadbeefdeadbeefull);
  return from_bits<T>(taken[source]);
}

}  // namespace cuda_on_host

#define threadIdx (cuda_on_host::current->index)
#define blockIdx (cuda_on_host::block_index)
#define blockDim (cuda_on_host::block_size)
#define gridDim (cuda_on_host::grid_size)

inline unsigned lane_id() {
  return cuda_on_host::current->lane;
}
inline void __syncthreads() {
  cuda_on_host::current->at_barrier = true;
  cuda_on_host::give_way();
}
inline void __syncwarp(u32 mask) {
  cuda_on_host::exchange(mask, 0);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __nanosleep(unsigned) {}
