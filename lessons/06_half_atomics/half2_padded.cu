#include <cstdint>
#include <cuda_fp16.h>

// Adds `value` to base[index] through the aligned pair that holds it, with zero for the neighbour.
// `length` is the number of halves that belong to base: a pair that would reach outside them
// is not touched, and the slow single atomic is used instead.
__device__ void add_padded(__half* base, int index, int length, __half value) {
  __half* target = base + index;
  const bool starts_a_pair = reinterpret_cast<std::uintptr_t>(target) % sizeof(__half2) == 0;
  const __half zero = __float2half(0.0f);
  if (starts_a_pair && index + 1 < length) {
    atomicAdd(reinterpret_cast<__half2*>(target), __half2{value, zero});
  } else if (!starts_a_pair && index > 0) {
    atomicAdd(reinterpret_cast<__half2*>(target - 1), __half2{zero, value});
  } else {
    atomicAdd(target, value);
  }
}

__global__ void half2_padded(const __half* in, __half* sums, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase add
  add_padded(sums, i % bins, bins, in[i]);
}
