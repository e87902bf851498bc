#pragma once
template <typename T>
__device__ T exponential(T x) {
  return exp(x);
}
