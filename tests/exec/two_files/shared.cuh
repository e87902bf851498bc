// What two files have: each of them defines it (.weak in PTX).
#pragma once
#include <cstdio>

template <int V>
__device__ int table[2] = {V, V + 1};

inline __device__ __noinline__ int odd(int x) {
  return 2 * x + 1;
}
template <typename T>
__device__ __noinline__ T triple(T x) {
  return 3 * x;
}
__device__ inline const int* pick(int i) {
  return i != 0 ? &table<3>[0] : &table<4>[1];
}

__device__ int other(int x);
