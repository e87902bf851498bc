#include <cuda_fp16.h>

// Adds `value` to base[index] through the aligned pair that holds it; the pair's other half gets zero.
// `length` halves belong to base. A pair that reaches outside them is somebody else's memory: then the
// slow atomic on a single half is the only one allowed.
__device__ void add_padded(__half* base, int index, int length, __half value) {
  const __half zero = __float2half(0.0f);
  __half* target = base + index;
  const bool first_of_pair = reinterpret_cast<size_t>(target) % sizeof(__half2) == 0;
  if (first_of_pair && index + 1 < length) {  // @choose
    atomicAdd(reinterpret_cast<__half2*>(target), __halves2half2(value, zero));      // @first
  } else if (!first_of_pair && index > 0) {
    atomicAdd(reinterpret_cast<__half2*>(target - 1), __halves2half2(zero, value));  // @second
  } else {
    atomicAdd(target, value);  // @single
  }
}

__global__ void half2_padded(const __half* in, __half* sums, int n, int bins, int length) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  __half value = __float2half(0.0f);
  for (int i = thread; i < n; i += threads) {
    value += in[i];  // @load
  }

  // @phase add
  add_padded(sums, thread % bins, length, value);
}
