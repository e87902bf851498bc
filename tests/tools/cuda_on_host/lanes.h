#pragma once
// Votes, shuffles, reductions and atomics. Threads switch only at barriers and exchanges.

#include "threads.h"

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
