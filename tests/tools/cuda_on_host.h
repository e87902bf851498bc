#pragma once
// CUDA C++ on the host, for the kernels of random_kernels.py. Their expected buffers are computed with this by g++ and
// the processor's own arithmetic, without any code of Lanescope. Every thread is a coroutine; a barrier or an exchange
// among lanes lets the other threads run until all participants have arrived. Sources: "CUDA C++ Programming Guide",
// "PTX ISA". Compile with -O0 -std=c++17 -frounding-math -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include <ucontext.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __global__
#define __device__
#define __constant__ static const
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define DYNAMIC_SHARED(name) unsigned* const name = reinterpret_cast<unsigned*>(cuda_on_host::dynamic_shared)

typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned short u16;
typedef short s16;
typedef unsigned char u8;
typedef signed char s8;

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct alignas(8) uint2 {
  u32 x, y;
};
struct alignas(16) uint4 {
  u32 x, y, z, w;
};
struct alignas(4) ushort2 {
  u16 x, y;
};
struct alignas(8) ushort4 {
  u16 x, y, z, w;
};
struct alignas(4) uchar4 {
  u8 x, y, z, w;
};
struct alignas(16) ulonglong2 {
  u64 x, y;
};
inline uint2 make_uint2(u32 x, u32 y) {
  return {x, y};
}
inline uint4 make_uint4(u32 x, u32 y, u32 z, u32 w) {
  return {x, y, z, w};
}
inline ushort2 make_ushort2(u16 x, u16 y) {
  return {x, y};
}
inline ushort4 make_ushort4(u16 x, u16 y, u16 z, u16 w) {
  return {x, y, z, w};
}
inline uchar4 make_uchar4(u8 x, u8 y, u8 z, u8 w) {
  return {x, y, z, w};
}
inline ulonglong2 make_ulonglong2(u64 x, u64 y) {
  return {x, y};
}

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

// __syncthreads_count and similar: every thread adds its vote between two barriers.
namespace cuda_on_host {
inline int votes = 0, voters = 0;
}
inline int __syncthreads_count(int p) {
  using namespace cuda_on_host;
  __syncthreads();
  votes = voters = 0;
  __syncthreads();
  votes += p != 0;
  ++voters;
  __syncthreads();
  const int counted = votes;
  __syncthreads();
  return counted;
}
inline int __syncthreads_or(int p) {
  return __syncthreads_count(p) != 0;
}
inline int __syncthreads_and(int p) {
  return __syncthreads_count(p == 0) == 0;
}

template <typename T>
T __shfl_sync(u32 mask, T v, int source, int width = 32) {
  const u64* taken = cuda_on_host::exchange(mask, cuda_on_host::bits_of(v));
  const unsigned first = lane_id() & ~(static_cast<unsigned>(width) - 1);
  return cuda_on_host::taken_from<T>(mask, taken,
                                     first + (static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1)));
}
template <typename T>
T __shfl_up_sync(u32 mask, T v, unsigned delta, int width = 32) {
  const u64* taken = cuda_on_host::exchange(mask, cuda_on_host::bits_of(v));
  const unsigned within = lane_id() & (static_cast<unsigned>(width) - 1);
  return within < delta ? v : cuda_on_host::taken_from<T>(mask, taken, lane_id() - delta);
}
template <typename T>
T __shfl_down_sync(u32 mask, T v, unsigned delta, int width = 32) {
  const u64* taken = cuda_on_host::exchange(mask, cuda_on_host::bits_of(v));
  const unsigned within = lane_id() & (static_cast<unsigned>(width) - 1);
  return within + delta >= static_cast<unsigned>(width) ? v
                                                        : cuda_on_host::taken_from<T>(mask, taken, lane_id() + delta);
}
template <typename T>
T __shfl_xor_sync(u32 mask, T v, int flip, int width = 32) {
  const u64* taken = cuda_on_host::exchange(mask, cuda_on_host::bits_of(v));
  const unsigned source = lane_id() ^ static_cast<unsigned>(flip);
  return source > (lane_id() | (static_cast<unsigned>(width) - 1)) ? v
                                                                   : cuda_on_host::taken_from<T>(mask, taken, source);
}
inline u32 __ballot_sync(u32 mask, int p) {
  const u64* taken = cuda_on_host::exchange(mask, p != 0);
  u32 votes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) votes |= static_cast<u32>(taken[lane] != 0) << lane;
  return votes;
}
inline int __any_sync(u32 mask, int p) {
  return __ballot_sync(mask, p) != 0;
}
inline int __all_sync(u32 mask, int p) {
  return __ballot_sync(mask, p) == mask;
}
inline int __uni_sync(u32 mask, int p) {
  const u32 votes = __ballot_sync(mask, p);
  return votes == 0 || votes == mask;
}
template <typename T>
u32 __match_any_sync(u32 mask, T v) {
  const u64* taken = cuda_on_host::exchange(mask, cuda_on_host::bits_of(v));
  u32 equal = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1 && taken[lane] == cuda_on_host::bits_of(v)) equal |= 1u << lane;
  return equal;
}
template <typename T>
u32 __match_all_sync(u32 mask, T v, int* all) {
  const u32 equal = __match_any_sync(mask, v);
  *all = equal == mask;
  return equal == mask ? mask : 0;
}
template <typename T, typename Join>
T reduced(u32 mask, T v, Join join) {
  const u64* taken = cuda_on_host::exchange(mask, cuda_on_host::bits_of(v));
  T sum = v;
  bool begun = false;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      const T other = cuda_on_host::from_bits<T>(taken[lane]);
      sum = begun ? join(sum, other) : other;
      begun = true;
    }
  return sum;
}
template <typename T>
T __reduce_add_sync(u32 mask, T v) {
  return reduced(mask, v, [](T a, T b) { return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b)); });
}
template <typename T>
T __reduce_min_sync(u32 mask, T v) {
  return reduced(mask, v, [](T a, T b) { return a < b ? a : b; });
}
template <typename T>
T __reduce_max_sync(u32 mask, T v) {
  return reduced(mask, v, [](T a, T b) { return a < b ? b : a; });
}
inline u32 __reduce_and_sync(u32 mask, u32 v) {
  return reduced(mask, v, [](u32 a, u32 b) { return a & b; });
}
inline u32 __reduce_or_sync(u32 mask, u32 v) {
  return reduced(mask, v, [](u32 a, u32 b) { return a | b; });
}
inline u32 __reduce_xor_sync(u32 mask, u32 v) {
  return reduced(mask, v, [](u32 a, u32 b) { return a ^ b; });
}

// Atomics: threads switch only at barriers and exchanges, so plain operations are enough.
template <typename T, typename New>
T replaced(T* at, New value) {
  const T old = *at;
  *at = static_cast<T>(value(old));
  return old;
}
template <typename T, typename U>
T atomicAdd(T* at, U v) {
  return replaced(at, [=](T old) { return old + static_cast<T>(v); });
}
template <typename T, typename U>
T atomicSub(T* at, U v) {
  return replaced(at, [=](T old) { return old - static_cast<T>(v); });
}
template <typename T, typename U>
T atomicMin(T* at, U v) {
  return replaced(at, [=](T old) { return old < static_cast<T>(v) ? old : static_cast<T>(v); });
}
template <typename T, typename U>
T atomicMax(T* at, U v) {
  return replaced(at, [=](T old) { return old < static_cast<T>(v) ? static_cast<T>(v) : old; });
}
template <typename T, typename U>
T atomicAnd(T* at, U v) {
  return replaced(at, [=](T old) { return old & static_cast<T>(v); });
}
template <typename T, typename U>
T atomicOr(T* at, U v) {
  return replaced(at, [=](T old) { return old | static_cast<T>(v); });
}
template <typename T, typename U>
T atomicXor(T* at, U v) {
  return replaced(at, [=](T old) { return old ^ static_cast<T>(v); });
}
template <typename T, typename U>
T atomicExch(T* at, U v) {
  return replaced(at, [=](T) { return static_cast<T>(v); });
}
template <typename T, typename U, typename V>
T atomicCAS(T* at, U wanted, V v) {
  return replaced(at, [=](T old) { return old == static_cast<T>(wanted) ? static_cast<T>(v) : old; });
}
inline u32 atomicInc(u32* at, u32 most) {
  return replaced(at, [=](u32 old) { return old >= most ? 0 : old + 1; });
}
inline u32 atomicDec(u32* at, u32 most) {
  return replaced(at, [=](u32 old) { return old == 0 || old > most ? most : old - 1; });
}

template <typename T>
T __ldg(const T* at) {
  return *at;
}
template <typename T>
T __ldcs(const T* at) {
  return *at;
}
template <typename T>
T __ldcg(const T* at) {
  return *at;
}
template <typename T>
void __stcg(T* at, T v) {
  *at = v;
}
template <typename T>
void __stcs(T* at, T v) {
  *at = v;
}

// Integers. Written out, so that no compiler builtin decides a result.
inline int __popc(u32 a) {
  int n = 0;
  for (; a; a &= a - 1) ++n;
  return n;
}
inline int __popcll(u64 a) {
  int n = 0;
  for (; a; a &= a - 1) ++n;
  return n;
}
inline int __clzll(u64 a) {
  int n = 0;
  while (n < 64 && !(a >> (63 - n) & 1)) ++n;
  return n;
}
inline int __clz(u32 a) {
  int n = 0;
  while (n < 32 && !(a >> (31 - n) & 1)) ++n;
  return n;
}
inline int __ffs(u32 a) {
  for (int i = 0; i < 32; ++i)
    if (a >> i & 1) return i + 1;
  return 0;
}
inline int __ffsll(u64 a) {
  for (int i = 0; i < 64; ++i)
    if (a >> i & 1) return i + 1;
  return 0;
}
inline u32 __brev(u32 a) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
  return r;
}
inline u64 __brevll(u64 a) {
  u64 r = 0;
  for (int i = 0; i < 64; ++i) r |= (a >> i & 1) << (63 - i);
  return r;
}
inline u32 __umulhi(u32 a, u32 b) {
  return static_cast<u32>(static_cast<u64>(a) * b >> 32);
}
inline s32 __mulhi(s32 a, s32 b) {
  return static_cast<s32>(static_cast<s64>(a) * b >> 32);
}
inline u64 __umul64hi(u64 a, u64 b) {
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline s64 __mul64hi(s64 a, s64 b) {
  return static_cast<s64>(static_cast<__int128>(a) * b >> 64);
}
inline u32 __byte_perm(u32 a, u32 b, u32 s) {
  const u64 both = static_cast<u64>(b) << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= static_cast<u32>(both >> (8 * (s >> (4 * i) & 7)) & 255) << (8 * i);
  return r;
}
inline u32 __funnelshift_l(u32 lo, u32 hi, u32 s) {
  return static_cast<u32>(((static_cast<u64>(hi) << 32 | lo) << (s & 31)) >> 32);
}
inline u32 __funnelshift_r(u32 lo, u32 hi, u32 s) {
  return static_cast<u32>((static_cast<u64>(hi) << 32 | lo) >> (s & 31));
}
inline u32 __funnelshift_lc(u32 lo, u32 hi, u32 s) {
  return s >= 32 ? lo : __funnelshift_l(lo, hi, s);
}
inline u32 __funnelshift_rc(u32 lo, u32 hi, u32 s) {
  return s >= 32 ? hi : __funnelshift_r(lo, hi, s);
}
inline u32 __usad(u32 a, u32 b, u32 c) {
  return c + (a > b ? a - b : b - a);
}
inline u32 __sad(s32 a, s32 b, u32 c) {
  return c + (a > b ? static_cast<u32>(a) - static_cast<u32>(b) : static_cast<u32>(b) - static_cast<u32>(a));
}
inline u32 __uhadd(u32 a, u32 b) {
  return static_cast<u32>((static_cast<u64>(a) + b) >> 1);
}
inline s32 __hadd(s32 a, s32 b) {
  return static_cast<s32>((static_cast<s64>(a) + b) >> 1);
}
inline s32 __rhadd(s32 a, s32 b) {
  return static_cast<s32>((static_cast<s64>(a) + b + 1) >> 1);
}
inline u32 __umul24(u32 a, u32 b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
template <typename A, typename B>
u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<u32>(static_cast<A>(a >> (8 * i))) * static_cast<u32>(static_cast<B>(b >> (8 * i)));
  return c;
}
template <typename A, typename B, typename C>
u32 dot2(u32 a, u32 b, u32 c, int first) {
  for (int i = 0; i < 2; ++i)
    c += static_cast<u32>(static_cast<A>(a >> (16 * i))) * static_cast<u32>(static_cast<B>(b >> (8 * (i + first))));
  return c;
}
inline u32 __dp4a(u32 a, u32 b, u32 c) {
  return dot4<u8, u8>(a, b, c);
}
inline s32 __dp4a(s32 a, s32 b, s32 c) {
  return static_cast<s32>(dot4<s8, s8>(static_cast<u32>(a), static_cast<u32>(b), static_cast<u32>(c)));
}

// Four bytes or two halves at a time.
template <int bits, typename Each>
u32 by_parts(u32 a, u32 b, Each each) {
  u32 r = 0;
  constexpr u32 mask = (1u << bits) - 1;
  for (int i = 0; i < 32; i += bits) r |= (static_cast<u32>(each(a >> i & mask, b >> i & mask)) & mask) << i;
  return r;
}
inline int as_signed(u32 v, int bits) {
  return static_cast<int>(v << (32 - bits)) >> (32 - bits);
}
inline int held(int v, int low, int high) {
  return v < low ? low : v > high ? high : v;
}
inline u32 __vadd4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x + y; });
}
inline u32 __vsub2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return x - y; });
}
inline u32 __vaddus4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x + y > 255 ? 255 : x + y; });
}
inline u32 __vsubss2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return held(as_signed(x, 16) - as_signed(y, 16), -32768, 32767); });
}
inline u32 __vavgu4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return (x + y + 1) / 2; });
}
inline u32 __vabsdiffu4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x > y ? x - y : y - x; });
}
inline u32 __vmaxs2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return as_signed(x, 16) > as_signed(y, 16) ? x : y; });
}
inline u32 __vminu4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x < y ? x : y; });
}
inline u32 __vcmpgts4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return as_signed(x, 8) > as_signed(y, 8) ? 255 : 0; });
}
inline u32 __vseteq2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return x == y; });
}
inline u32 __vneg4(u32 a) {
  return by_parts<8>(a, 0, [](u32 x, u32) { return 0 - x; });
}
inline u32 __vabsss2(u32 a) {
  return by_parts<16>(a, 0, [](u32 x, u32) {
    const int v = as_signed(x, 16);
    return held(v < 0 ? -v : v, 0, 32767);
  });
}
inline u32 __vsads4(u32 a, u32 b) {
  u32 sum = 0;
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<u32>(std::abs(as_signed(a >> i & 255, 8) - as_signed(b >> i & 255, 8)));
  return sum;
}

// PTX instructions by name, as the kernels write them in inline assembly.
inline u32 ptx_bfe_u32(u32 a, u32 b, u32 c) {
  const unsigned pos = b & 255, len = c & 255;
  u32 r = 0;
  for (unsigned i = 0; i < len && i < 32; ++i)
    if (pos + i < 32) r |= (a >> (pos + i) & 1) << i;
  return r;
}
inline u64 bfe64(u64 a, u32 b, u32 c, unsigned width, bool with_sign) {
  const unsigned pos = b & 255, len = c & 255;
  u64 sign = 0;
  if (with_sign && len != 0) sign = a >> (pos + len - 1 < width - 1 ? pos + len - 1 : width - 1) & 1;
  u64 r = 0;
  for (unsigned i = 0; i < width; ++i) r |= (i < len && pos + i < width ? a >> (pos + i) & 1 : sign) << i;
  return r;
}
inline u32 ptx_bfe_s32(u32 a, u32 b, u32 c) {
  return static_cast<u32>(bfe64(a, b, c, 32, true));
}
inline u64 ptx_bfe_u64(u64 a, u32 b, u32 c) {
  return bfe64(a, b, c, 64, false);
}
inline u64 ptx_bfe_s64(u64 a, u32 b, u32 c) {
  return bfe64(a, b, c, 64, true);
}
inline u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) {
  const unsigned pos = c & 255, len = d & 255;
  for (unsigned i = 0; i < len && pos + i < 32; ++i) b = (b & ~(1u << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
inline u64 ptx_bfi_b64(u64 a, u64 b, u32 c, u32 d) {
  const unsigned pos = c & 255, len = d & 255;
  for (unsigned i = 0; i < len && pos + i < 64; ++i) b = (b & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
inline u32 ptx_shl_b32(u32 a, u32 b) {
  return b > 31 ? 0 : a << b;
}
inline u32 ptx_shr_u32(u32 a, u32 b) {
  return b > 31 ? 0 : a >> b;
}
inline u32 ptx_shr_s32(u32 a, u32 b) {
  return static_cast<u32>(static_cast<s32>(a) >> (b > 31 ? 31 : b));
}
inline u64 ptx_shl_b64(u64 a, u32 b) {
  return b > 63 ? 0 : a << b;
}
inline u64 ptx_shr_s64(u64 a, u32 b) {
  return static_cast<u64>(static_cast<s64>(a) >> (b > 63 ? 63 : b));
}
inline u32 ptx_shl_b16(u32 a, u32 b) {
  return b > 15 ? 0 : (a << b) & 0xffffu;
}
inline u32 ptx_shr_s16(u32 a, u32 b) {
  return static_cast<u16>(static_cast<s16>(a) >> (b > 15 ? 15 : b));
}
inline u32 ptx_bfind_u32(u32 a) {
  return a == 0 ? ~0u : 31u - static_cast<u32>(__clz(a));
}
inline u32 ptx_bfind_s32(u32 a) {
  return ptx_bfind_u32(static_cast<s32>(a) < 0 ? ~a : a);
}
inline u32 ptx_bfind_shiftamt_u32(u32 a) {
  return a == 0 ? ~0u : static_cast<u32>(__clz(a));
}
inline u32 ptx_bfind_u64(u64 a) {
  return a == 0 ? ~0u : 63u - static_cast<u32>(__clzll(a));
}
inline u32 ptx_bmsk_clamp(u32 a, u32 b) {
  u32 r = 0;
  for (u64 i = 0; i < b && i < 32; ++i)
    if (a + i < 32) r |= 1u << (a + i);
  return a > 31 ? 0 : r;
}
inline u32 ptx_bmsk_wrap(u32 a, u32 b) {
  return ptx_bmsk_clamp(a & 31, b & 31);
}
inline u32 ptx_szext_clamp_u32(u32 a, u32 b) {
  return b >= 32 ? a : a & ((1u << b) - 1);
}
inline u32 ptx_szext_wrap_s32(u32 a, u32 b) {
  b &= 31;
  return b == 0 ? 0 : static_cast<u32>(static_cast<s32>(a << (32 - b)) >> (32 - b));
}
inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return r;
}
inline u32 ptx_lop3_96(u32 a, u32 b, u32 c) {
  return lop3(a, b, c, 0x96);
}
inline u32 ptx_lop3_1b(u32 a, u32 b, u32 c) {
  return lop3(a, b, c, 0x1b);
}
inline u32 ptx_lop3_e2(u32 a, u32 b, u32 c) {
  return lop3(a, b, c, 0xe2);
}
inline u32 picked_byte(u32 a, u32 b, u32 s) {  // one nibble of prmt's selector, including its sign bit
  const u32 byte = static_cast<u32>((static_cast<u64>(b) << 32 | a) >> (8 * (s & 7))) & 255;
  return s & 8 ? (byte & 128 ? 255 : 0) : byte;
}
inline u32 ptx_prmt(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= picked_byte(a, b, c >> (4 * i) & 15) << (8 * i);
  return r;
}
inline u32 prmt_of(u32 a, u32 b, u32 s0, u32 s1, u32 s2, u32 s3) {
  return ptx_prmt(a, b, s3 << 12 | s2 << 8 | s1 << 4 | s0);
}
inline u32 ptx_prmt_f4e(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, c + 1, c + 2, c + 3);
}
inline u32 ptx_prmt_b4e(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, (c + 7) & 7, (c + 6) & 7, (c + 5) & 7);
}
inline u32 ptx_prmt_rc8(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, c, c, c);
}
inline u32 ptx_prmt_ecl(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, c > 1 ? c : 1, c > 2 ? c : 2, 3);
}
inline u32 ptx_prmt_ecr(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, 0, c < 1 ? c : 1, c < 2 ? c : 2, c);
}
inline u32 ptx_prmt_rc16(u32 a, u32 b, u32 c) {
  c &= 1;
  return prmt_of(a, b, 2 * c, 2 * c + 1, 2 * c, 2 * c + 1);
}
inline u32 ptx_mad_hi_u32(u32 a, u32 b, u32 c) {
  return __umulhi(a, b) + c;
}
inline u32 ptx_mad_hi_s32(u32 a, u32 b, u32 c) {
  return static_cast<u32>(__mulhi(static_cast<s32>(a), static_cast<s32>(b))) + c;
}
inline u32 ptx_mad_hi_sat_s32(u32 a, u32 b, u32 c) {
  const s64 sum = static_cast<s64>(__mulhi(static_cast<s32>(a), static_cast<s32>(b))) + static_cast<s32>(c);
  return static_cast<u32>(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
inline u64 ptx_mad_wide_u32(u32 a, u32 b, u64 c) {
  return static_cast<u64>(a) * b + c;
}
inline u64 ptx_mad_wide_s32(u32 a, u32 b, u64 c) {
  return static_cast<u64>(static_cast<s64>(static_cast<s32>(a)) * static_cast<s32>(b)) + c;
}
inline u32 ptx_mul_wide_s16(u32 a, u32 b) {
  return static_cast<u32>(static_cast<s16>(a) * static_cast<s16>(b));
}
inline u32 ptx_mul_wide_u16(u32 a, u32 b) {
  return (a & 0xffffu) * (b & 0xffffu);
}
inline u32 ptx_mul_hi_s16(u32 a, u32 b) {
  return static_cast<u16>((static_cast<s16>(a) * static_cast<s16>(b)) >> 16);
}
inline u32 ptx_mul24_hi_u32(u32 a, u32 b) {
  return static_cast<u32>(static_cast<u64>(a & 0xffffffu) * (b & 0xffffffu) >> 16);
}
inline u32 ptx_mul24_lo_s32(u32 a, u32 b) {
  const s64 x = static_cast<s32>(a << 8) >> 8, y = static_cast<s32>(b << 8) >> 8;
  return static_cast<u32>(x * y);
}
inline u32 ptx_mad24_lo_u32(u32 a, u32 b, u32 c) {
  return __umul24(a, b) + c;
}
inline u32 ptx_add_sat_s32(u32 a, u32 b) {
  const s64 sum = static_cast<s64>(static_cast<s32>(a)) + static_cast<s32>(b);
  return static_cast<u32>(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
inline u32 ptx_sub_sat_s32(u32 a, u32 b) {
  const s64 sum = static_cast<s64>(static_cast<s32>(a)) - static_cast<s32>(b);
  return static_cast<u32>(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
// Carries: 96 bits in three words; returns the highest word.
inline u32 ptx_add_carry(u32 a0, u32 a1, u32 b0, u32 b1) {
  const u64 a = static_cast<u64>(a1) << 32 | a0, b = static_cast<u64>(b1) << 32 | b0, sum = a + b;
  return static_cast<u32>(sum >> 32) * 3 + (sum < a);
}
inline u32 ptx_sub_carry(u32 a0, u32 a1, u32 b0, u32 b1) {
  const u64 a = static_cast<u64>(a1) << 32 | a0, b = static_cast<u64>(b1) << 32 | b0;
  return static_cast<u32>((a - b) >> 32) * 3 + (a < b ? ~0u : 0u);
}
inline u32 ptx_mad_carry(u32 a, u32 b, u32 c, u32 d) {
  return static_cast<u32>((static_cast<u64>(a) * b + (static_cast<u64>(d) << 32 | c)) >> 32);
}
inline u32 ptx_sad_s32(u32 a, u32 b, u32 c) {
  return __sad(static_cast<s32>(a), static_cast<s32>(b), c);
}
inline u32 ptx_sad_u16(u32 a, u32 b, u32 c) {
  a &= 0xffff;
  b &= 0xffff;
  return (c + (a > b ? a - b : b - a)) & 0xffff;
}
inline u32 ptx_abs_s32(u32 a) {
  return static_cast<s32>(a) < 0 ? 0u - a : a;
}
inline u32 ptx_cnot_b32(u32 a) {
  return a == 0;
}
inline u32 ptx_slct_s32(u32 a, u32 b, u32 c) {
  return static_cast<s32>(c) >= 0 ? a : b;
}
inline u32 ptx_slct_f32(u32 a, u32 b, float c) {
  return c >= 0 ? a : b;
}
inline u32 ptx_set_lt_u32(u32 a, u32 b) {
  return a < b ? ~0u : 0;
}
inline u32 ptx_set_hs_f32(u32 a, u32 b) {
  return a >= b ? 0x3f800000u : 0;
}
inline u32 ptx_fns(u32 mask, u32 base, u32 offset) {
  const s32 n = static_cast<s32>(offset);
  base &= 31;
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  s32 left = n > 0 ? n : -n;
  for (s32 i = static_cast<s32>(base); i >= 0 && i<32; i += n> 0 ? 1 : -1)
    if (mask >> i & 1 && --left == 0) return static_cast<u32>(i);
  return ~0u;
}
inline u32 ptx_dp4a_u32_s32(u32 a, u32 b, u32 c) {
  return dot4<u8, s8>(a, b, c);
}
inline u32 ptx_dp2a_lo_s32_u32(u32 a, u32 b, u32 c) {
  return dot2<s16, u8, u32>(a, b, c, 0);
}
inline u32 ptx_dp2a_hi_u32_s32(u32 a, u32 b, u32 c) {
  return dot2<u16, s8, u32>(a, b, c, 2);
}
inline u32 ptx_cvt_sat_u8_s32(u32 a) {
  return static_cast<u32>(held(static_cast<s32>(a), 0, 255));
}
inline u32 ptx_cvt_sat_s8_s32(u32 a) {
  return static_cast<u32>(held(static_cast<s32>(a), -128, 127));
}
inline u32 ptx_cvt_sat_s16_u32(u32 a) {
  return a > 32767 ? 32767 : a;
}
inline u32 ptx_cvt_sat_u32_s64(u64 a) {
  const s64 v = static_cast<s64>(a);
  return v < 0 ? 0 : v > 0xffffffffll ? ~0u : static_cast<u32>(v);
}
inline u32 ptx_cvt_s32_s8(u32 a) {
  return static_cast<u32>(static_cast<s32>(static_cast<s8>(a)));
}
inline u32 ptx_cvt_u32_u16(u32 a) {
  return static_cast<u16>(a);
}
inline u32 ptx_cvt_pack_sat_s16(u32 a, u32 b) {
  return static_cast<u32>(held(static_cast<s32>(a), -32768, 32767)) << 16 |
         (static_cast<u32>(held(static_cast<s32>(b), -32768, 32767)) & 0xffffu);
}
inline u32 ptx_min_s16(u32 a, u32 b) {
  return static_cast<u16>(static_cast<s16>(a) < static_cast<s16>(b) ? a : b);
}
inline u32 ptx_div_s16(u32 a, u32 b) {
  return static_cast<u16>(static_cast<s16>(a) / static_cast<s16>(b | 1));
}  // callers avoid -32768 / -1
inline u32 ptx_rem_u16(u32 a, u32 b) {
  return (a & 0xffffu) % ((b & 0xffffu) | 1u);
}

inline u32 guarded_load(u32 c, const u32* from, u32 other) {
  return c ? *from : other;
}
inline void guarded_store(u32 c, u32* to, u32 v) {
  if (c) *to = v;
}
inline u32 guarded_atomic(u32 c, u32* to, u32 v) {
  return c ? atomicAdd(to, v) : 0;
}
inline u32 guarded_shuffle(u32 c, u32 m, u32 v, u32 from) {
  return c ? __shfl_sync(m, v, static_cast<int>(from)) : v;
}
inline u32 guarded_ballot(u32 c, u32 m, u32 q) {
  return c ? __ballot_sync(m, static_cast<int>(q)) : 5;
}

// Floating point: the processor's own, in the requested rounding mode.
enum class Round { rn = FE_TONEAREST, rz = FE_TOWARDZERO, ru = FE_UPWARD, rd = FE_DOWNWARD };
template <typename Do>
auto rounded(Round mode, Do&& act) -> decltype(act()) {
  std::fesetround(static_cast<int>(mode));
  volatile auto value = act();
  std::fesetround(FE_TONEAREST);
  return value;
}
#define LANESCOPE_ROUNDINGS(X) X(rn) X(rz) X(ru) X(rd)
#define LANESCOPE_FLOAT(R)                                                                     \
  inline float __fadd_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x + y; });                                \
  }                                                                                            \
  inline float __fsub_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x - y; });                                \
  }                                                                                            \
  inline float __fmul_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x * y; });                                \
  }                                                                                            \
  inline float __fdiv_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x / y; });                                \
  }                                                                                            \
  inline float __frcp_##R(float a) {                                                           \
    return __fdiv_##R(1.0f, a);                                                                \
  }                                                                                            \
  inline float __fsqrt_##R(float a) {                                                          \
    volatile float x = a;                                                                      \
    return rounded(Round::R, [&]() -> float { return std::sqrt(static_cast<float>(x)); });     \
  }                                                                                            \
  inline float __fmaf_##R(float a, float b, float c) {                                         \
    volatile float x = a, y = b, z = c;                                                        \
    return rounded(Round::R, [&]() -> float {                                                  \
      return std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));    \
    });                                                                                        \
  }                                                                                            \
  inline double __dadd_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x + y; });                               \
  }                                                                                            \
  inline double __dsub_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x - y; });                               \
  }                                                                                            \
  inline double __dmul_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x * y; });                               \
  }                                                                                            \
  inline double __ddiv_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x / y; });                               \
  }                                                                                            \
  inline double __drcp_##R(double a) {                                                         \
    return __ddiv_##R(1.0, a);                                                                 \
  }                                                                                            \
  inline double __dsqrt_##R(double a) {                                                        \
    volatile double x = a;                                                                     \
    return rounded(Round::R, [&]() -> double { return std::sqrt(static_cast<double>(x)); });   \
  }                                                                                            \
  inline double __fma_##R(double a, double b, double c) {                                      \
    volatile double x = a, y = b, z = c;                                                       \
    return rounded(Round::R, [&]() -> double {                                                 \
      return std::fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)); \
    });                                                                                        \
  }                                                                                            \
  inline float __double2float_##R(double a) {                                                  \
    volatile double x = a;                                                                     \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline float __int2float_##R(int a) {                                                        \
    volatile int x = a;                                                                        \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline float __uint2float_##R(u32 a) {                                                       \
    volatile s64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline float __ll2float_##R(s64 a) {                                                         \
    volatile s64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline double __ll2double_##R(s64 a) {                                                       \
    volatile s64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> double { return static_cast<double>(x); });              \
  }                                                                                            \
  inline float __ull2float_##R(u64 a) {                                                        \
    volatile u64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> float {                                                  \
      volatile long double wide = static_cast<long double>(x);                                 \
      return static_cast<float>(wide);                                                         \
    });                                                                                        \
  }                                                                                            \
  inline double __ull2double_##R(u64 a) {                                                      \
    volatile u64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> double {                                                 \
      volatile long double wide = static_cast<long double>(x);                                 \
      return static_cast<double>(wide);                                                        \
    });                                                                                        \
  }
LANESCOPE_ROUNDINGS(LANESCOPE_FLOAT)
#undef LANESCOPE_FLOAT

// To integers: clamped to the type. PTX's page of cvt defines NaN: 0 from single precision, and from double precision
// to unsigned 32 bits; otherwise only the type's highest bit is set.
inline double to_whole(double a, Round mode) {
  switch (mode) {
    case Round::rz:
      return std::trunc(a);
    case Round::ru:
      return std::ceil(a);
    case Round::rd:
      return std::floor(a);
    default:
      return std::nearbyint(a);
  }
}
template <typename T>
T to_integer(double a, Round mode, T of_nan) {
  if (a != a) return of_nan;
  const double whole = to_whole(a, mode);
  const double low = static_cast<T>(-1) < static_cast<T>(0) ? -std::ldexp(1.0, 8 * sizeof(T) - 1) : 0;
  const double end = std::ldexp(1.0, 8 * sizeof(T) - (low < 0));
  if (whole < low) return low < 0 ? static_cast<T>(static_cast<T>(1) << (8 * sizeof(T) - 1)) : static_cast<T>(0);
  if (whole >= end) return low < 0 ? static_cast<T>(~(static_cast<T>(1) << (8 * sizeof(T) - 1))) : static_cast<T>(-1);
  return static_cast<T>(whole);
}
#define LANESCOPE_CONVERT(R)                                                                \
  inline int __float2int_##R(float a) {                                                     \
    return to_integer<s32>(static_cast<double>(a), Round::R, 0);                            \
  }                                                                                         \
  inline u32 __float2uint_##R(float a) {                                                    \
    return to_integer<u32>(static_cast<double>(a), Round::R, 0);                            \
  }                                                                                         \
  inline s64 __float2ll_##R(float a) {                                                      \
    return to_integer<s64>(static_cast<double>(a), Round::R, static_cast<s64>(1ull << 63)); \
  }                                                                                         \
  inline u64 __float2ull_##R(float a) {                                                     \
    return to_integer<u64>(static_cast<double>(a), Round::R, 1ull << 63);                   \
  }                                                                                         \
  inline int __double2int_##R(double a) {                                                   \
    return to_integer<s32>(a, Round::R, static_cast<s32>(1u << 31));                        \
  }                                                                                         \
  inline u32 __double2uint_##R(double a) {                                                  \
    return to_integer<u32>(a, Round::R, 1u << 31);                                          \
  }                                                                                         \
  inline s64 __double2ll_##R(double a) {                                                    \
    return to_integer<s64>(a, Round::R, static_cast<s64>(1ull << 63));                      \
  }                                                                                         \
  inline u64 __double2ull_##R(double a) {                                                   \
    return to_integer<u64>(a, Round::R, 1ull << 63);                                        \
  }
LANESCOPE_ROUNDINGS(LANESCOPE_CONVERT)
#undef LANESCOPE_CONVERT

inline double __int2double_rn(int a) {
  return a;
}
inline double __uint2double_rn(u32 a) {
  return a;
}
inline u32 __float_as_uint(float a) {
  return static_cast<u32>(cuda_on_host::bits_of(a));
}
inline int __float_as_int(float a) {
  return static_cast<int>(__float_as_uint(a));
}
inline float __uint_as_float(u32 a) {
  return cuda_on_host::from_bits<float>(a);
}
inline s64 __double_as_longlong(double a) {
  return static_cast<s64>(cuda_on_host::bits_of(a));
}
inline double __longlong_as_double(s64 a) {
  return cuda_on_host::from_bits<double>(static_cast<u64>(a));
}
inline int __double2hiint(double a) {
  return static_cast<int>(cuda_on_host::bits_of(a) >> 32);
}
inline int __double2loint(double a) {
  return static_cast<int>(cuda_on_host::bits_of(a));
}
inline double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<s64>(static_cast<u64>(static_cast<u32>(hi)) << 32 | static_cast<u32>(lo)));
}
inline float __saturatef(float a) {
  return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f;
}
// PTX: if one operand is NaN, the other one; and +0 is greater than -0.
template <typename T>
T lesser(T a, T b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
template <typename T>
T greater(T a, T b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a < b ? b : a;
}
template <typename T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T max(T a, T b) {
  return a < b ? b : a;
}
inline float ptx_add_ftz(float a, float b) {
  const auto flushed = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; };
  return flushed(flushed(a) + flushed(b));
}
inline float ptx_mul_sat(float a, float b) {
  return __saturatef(a * b);
}
inline float ptx_fma_sat(float a, float b, float c) {
  return __saturatef(std::fma(a, b, c));
}
inline float ptx_min_nan(float a, float b) {
  return a != a || b != b ? NAN : lesser(a, b);
}
inline float ptx_max_xorsign_abs(float a, float b) {
  const float most = greater(std::fabs(a), std::fabs(b));
  return __uint_as_float((__float_as_uint(most) & 0x7fffffffu) |
                         ((__float_as_uint(a) ^ __float_as_uint(b)) & 0x80000000u));
}
inline u32 ptx_testp(float a) {
  const int kind = std::fpclassify(a);
  return static_cast<u32>((kind != FP_NAN && kind != FP_INFINITE) | (kind == FP_INFINITE) << 1 | (kind == FP_NAN) << 2 |
                          (kind == FP_NORMAL || kind == FP_ZERO) << 3 | (kind == FP_SUBNORMAL) << 4);
}
inline u32 ptx_setp_unordered(float a, float b) {
  const bool nan = a != a || b != b;
  return static_cast<u32>((nan || a < b) | (nan || a >= b) << 1 | (nan || a == b) << 2 | (nan || a != b) << 3 |
                          nan << 4 | !nan << 5 | (a != b && !nan) << 6);
}
inline u32 ptx_cvt_sat_u8_f32(float a) {
  return a != a ? 0
                : static_cast<u32>(
                      held(static_cast<int>(std::fmin(std::fmax(std::nearbyint(static_cast<double>(a)), -1.0), 256.0)),
                           0, 255));
}
inline u32 ptx_cvt_s16_f32(float a) {
  return a != a ? 0
                : static_cast<u16>(held(
                      static_cast<int>(std::fmin(std::fmax(std::floor(static_cast<double>(a)), -40000.0), 40000.0)),
                      -32768, 32767));
}

// Half and bfloat16, by integers, from an exact value: rounded to `bits` bits of precision, with the smallest normal
// exponent `least`.
struct SmallFloat {
  int bits, least, exponent_bits;
};
constexpr SmallFloat half_kind{11, -14, 5}, bfloat_kind{8, -126, 8};
inline u16 small_bits(SmallFloat kind, double value, Round mode) {
  const u64 raw = cuda_on_host::bits_of(value);
  const u16 sign = static_cast<u16>(raw >> 63 << 15);
  const int fraction_bits = kind.bits - 1;
  const u16 infinity = static_cast<u16>(((1 << kind.exponent_bits) - 1) << fraction_bits);
  if (value != value) return 0x7fff;
  if (std::isinf(value)) return static_cast<u16>(sign | infinity);
  if (value == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // [0.5, 1)
  const u64 whole = static_cast<u64>(std::ldexp(fraction, 53));     // 53 bits
  --exponent;                                                       // value = 1.xxx * 2^exponent
  int drop = 53 - kind.bits;
  if (exponent < kind.least) drop += kind.least - exponent;
  const bool up_sign = sign ? mode == Round::rd : mode == Round::ru;
  u64 kept = drop > 63 ? 0 : whole >> drop;
  const u64 rest = drop > 63 ? 1 : whole & ((1ull << drop) - 1);
  const u64 half = drop > 63 ? 2 : 1ull << (drop - 1);
  if (mode == Round::rn ? rest > half || (rest == half && (kept & 1)) : up_sign && rest != 0) ++kept;
  const int biased = exponent < kind.least ? 0 : exponent - kind.least;  // kept includes the hidden bit
  const u64 magnitude = (static_cast<u64>(biased) << fraction_bits) + kept;
  if (magnitude >= infinity) {
    const bool to_largest = mode == Round::rz || (mode == Round::ru && sign) || (mode == Round::rd && !sign);
    return static_cast<u16>(sign | (to_largest ? infinity - 1 : infinity));
  }
  return static_cast<u16>(sign | magnitude);
}
inline double small_value(SmallFloat kind, u16 bits) {
  const int fraction_bits = kind.bits - 1, exponent = (bits & 0x7fff) >> fraction_bits,
            fraction = bits & ((1 << fraction_bits) - 1);
  double value = 0;
  if (exponent == (1 << kind.exponent_bits) - 1)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, kind.least - fraction_bits);
  else
    value = std::ldexp((1 << fraction_bits) + fraction, exponent - 1 + kind.least - fraction_bits);
  return bits & 0x8000 ? -value : value;
}
// a + b rounded to odd: rounding this sum again gives the same as rounding the exact sum.
inline double odd_sum(double a, double b) {
  volatile double sum = a + b;
  if (std::isinf(sum) || sum != sum) return sum;
  volatile double part = sum - a;
  volatile double rest = sum - part;
  volatile double lost_a = a - rest, lost_b = b - part;
  const double lost = lost_a + lost_b;
  if (lost == 0 || (cuda_on_host::bits_of(static_cast<double>(sum)) & 1)) return sum;
  return std::nextafter(static_cast<double>(sum), lost > 0 ? INFINITY : -INFINITY);
}

struct __half {
  u16 bits;
};
struct __nv_bfloat16 {
  u16 bits;
};
struct __half2 {
  __half x, y;
};
inline __half half_of(double v, Round mode = Round::rn) {
  return {small_bits(half_kind, v, mode)};
}
inline double value_of(__half h) {
  return small_value(half_kind, h.bits);
}
inline __nv_bfloat16 bfloat_of(double v, Round mode = Round::rn) {
  return {small_bits(bfloat_kind, v, mode)};
}
inline double value_of(__nv_bfloat16 h) {
  return small_value(bfloat_kind, h.bits);
}
inline __half __ushort_as_half(u16 a) {
  return {a};
}
inline u16 __half_as_ushort(__half a) {
  return a.bits;
}
inline __nv_bfloat16 __ushort_as_bfloat16(u16 a) {
  return {a};
}
inline u16 __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.bits;
}
inline float __half2float(__half a) {
  return static_cast<float>(value_of(a));
}
inline float __bfloat162float(__nv_bfloat16 a) {
  return static_cast<float>(value_of(a));
}
inline __half __double2half(double a) {
  return half_of(a);
}
#define LANESCOPE_HALF(R)                                               \
  inline __half __float2half_##R(float a) {                             \
    return half_of(static_cast<double>(a), Round::R);                   \
  }                                                                     \
  inline __nv_bfloat16 __float2bfloat16_##R(float a) {                  \
    return bfloat_of(static_cast<double>(a), Round::R);                 \
  }                                                                     \
  inline __half __int2half_##R(int a) {                                 \
    return half_of(a, Round::R);                                        \
  }                                                                     \
  inline __half __uint2half_##R(u32 a) {                                \
    return half_of(a, Round::R);                                        \
  }                                                                     \
  inline int __half2int_##R(__half a) {                                 \
    return to_integer<s32>(value_of(a), Round::R, 0);                   \
  }                                                                     \
  inline u32 __half2uint_##R(__half a) {                                \
    return to_integer<u32>(value_of(a), Round::R, 0);                   \
  }                                                                     \
  inline u16 __half2ushort_##R(__half a) {                              \
    return to_integer<u16>(value_of(a), Round::R, static_cast<u16>(0)); \
  }
LANESCOPE_ROUNDINGS(LANESCOPE_HALF)
#undef LANESCOPE_HALF
inline __half __hadd_rn(__half a, __half b) {
  return half_of(value_of(a) + value_of(b));
}
inline __half __hsub_rn(__half a, __half b) {
  return half_of(value_of(a) - value_of(b));
}
inline __half __hmul_rn(__half a, __half b) {
  return half_of(value_of(a) * value_of(b));
}
inline __half __hfma(__half a, __half b, __half c) {
  return half_of(odd_sum(value_of(a) * value_of(b), value_of(c)));
}
inline double saturated(double v) {
  return v > 0 ? (v < 1 ? v : 1.0) : 0.0;
}
inline __half __hadd_sat(__half a, __half b) {
  return half_of(saturated(value_of(half_of(value_of(a) + value_of(b)))));
}
inline __half __hfma_sat(__half a, __half b, __half c) {
  return half_of(saturated(value_of(__hfma(a, b, c))));
}
inline __half __hfma_relu(__half a, __half b, __half c) {
  const double v = value_of(__hfma(a, b, c));
  return half_of(v > 0 ? v : v != v ? v : 0.0);
}
inline __half __hdiv_rounded(__half a, __half b) {
  return half_of(value_of(a) / value_of(b));
}
inline __half __hneg(__half a) {
  return {static_cast<u16>(a.bits ^ 0x8000)};
}
inline __half __habs(__half a) {
  return {static_cast<u16>(a.bits & 0x7fff)};
}
inline __half __hmin(__half a, __half b) {
  return half_of(lesser(value_of(a), value_of(b)));
}
inline __half __hmax(__half a, __half b) {
  return half_of(greater(value_of(a), value_of(b)));
}
inline __half __hmin_nan(__half a, __half b) {
  return value_of(a) != value_of(a) || value_of(b) != value_of(b) ? __half{0x7fff} : __hmin(a, b);
}
inline bool __hlt(__half a, __half b) {
  return value_of(a) < value_of(b);
}
inline bool __heq(__half a, __half b) {
  return value_of(a) == value_of(b);
}
inline bool __hgeu(__half a, __half b) {
  return !(value_of(a) < value_of(b));
}
inline bool __hisnan(__half a) {
  return value_of(a) != value_of(a);
}
inline __half htrunc(__half a) {
  return half_of(std::trunc(value_of(a)));
}
inline __half hfloor(__half a) {
  return half_of(std::floor(value_of(a)));
}
inline __half hceil(__half a) {
  return half_of(std::ceil(value_of(a)));
}
inline __half hrint(__half a) {
  return half_of(std::nearbyint(value_of(a)));
}
inline __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
inline __half __low2half(__half2 a) {
  return a.x;
}
inline __half __high2half(__half2 a) {
  return a.y;
}
inline __half2 __lowhigh2highlow(__half2 a) {
  return {a.y, a.x};
}
inline __half2 __hadd2_rn(__half2 a, __half2 b) {
  return {__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y)};
}
inline __half2 __hmul2_rn(__half2 a, __half2 b) {
  return {__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y)};
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
inline __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
inline __half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
inline __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(odd_sum(value_of(a), value_of(b)));
}
inline __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(odd_sum(value_of(a), -value_of(b)));
}
inline __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(value_of(a) * value_of(b));
}
inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return bfloat_of(odd_sum(value_of(a) * value_of(b), value_of(c)));
}
inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(lesser(value_of(a), value_of(b)));
}
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(greater(value_of(a), value_of(b)));
}
inline bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) {
  return value_of(a) < value_of(b);
}

// Atomics of halves, for sums that are equal in every order.
inline __half atomicAdd(__half* at, __half v) {
  const __half old = *at;
  *at = __hadd_rn(old, v);
  return old;
}
inline __half2 atomicAdd(__half2* at, __half2 v) {
  const __half2 old = *at;
  *at = __hadd2_rn(old, v);
  return old;
}

inline void copy_4(void* to, const void* from) {
  std::memcpy(to, from, 4);
}
inline void copy_8(void* to, const void* from) {
  std::memcpy(to, from, 8);
}
inline void copy_16(void* to, const void* from) {
  std::memcpy(to, from, 16);
}
inline void copies_done() {}

// A launch's buffers, filled as `--arg` says (see `lanescope trace --help`).
namespace cuda_on_host {
inline u64 splitmix64(u64 seed, u64 k) {
  u64 z = seed + (k + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
template <typename T>
T* zeros(std::size_t count) {
  return static_cast<T*>(std::calloc((count * sizeof(T) + 255) / 256 * 256, 1));
}
template <typename T>
T* random(std::size_t count, u64 seed) {
  T* const made = zeros<T>(count);
  for (std::size_t k = 0; k < count; ++k) made[k] = static_cast<T>(splitmix64(seed, k) >> (64 - 8 * sizeof(T)));
  return made;
}
// Prints one line: kernel, argument, FNV-1a of the bytes. Also writes the bytes into `folder`, unless it is null.
inline void tell(const char* folder, const char* kernel, int argument, const void* bytes, std::size_t count) {
  u64 hash = 0xcbf29ce484222325ull;
  for (std::size_t i = 0; i < count; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3ull;
  std::printf("%s %d %016llx\n", kernel, argument, hash);
  if (folder == nullptr) return;
  char path[4096];
  std::snprintf(path, sizeof path, "%s/%s.%d", folder, kernel, argument);
  if (std::FILE* file = std::fopen(path, "wb")) {
    std::fwrite(bytes, 1, count, file);
    std::fclose(file);
  }
}
}  // namespace cuda_on_host

using std::isnan;
#define fminf(a, b) lesser<float>(a, b)
#define fmaxf(a, b) greater<float>(a, b)
#define fmin(a, b) lesser<double>(a, b)
#define fmax(a, b) greater<double>(a, b)
