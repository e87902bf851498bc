#include <cuda_fp16.h>

// Adds through the aligned pair that holds the sum; the pair's other half gets zero. `length` halves belong
// to the array. A pair that reaches outside them is somebody else's memory: there the slow atomic on a
// single half is the only one allowed.
__global__ void half2_padded(const __half* in, __half* sums, int n, int bins, int length) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  __half value = __float2half(0.0f);
  for (int i = thread; i < n; i += threads) {
    value += in[i];  // @read
  }

  // @phase add
  const __half zero = __float2half(0.0f);
  const int index = thread % bins;
  __half* target = sums + index;
  const bool first_of_pair = reinterpret_cast<size_t>(target) % sizeof(__half2) == 0;
  if (first_of_pair && index + 1 < length) {  // @choose
    atomicAdd(reinterpret_cast<__half2*>(target), __halves2half2(value, zero));      // @first
  } else if (!first_of_pair && index > 0) {
    atomicAdd(reinterpret_cast<__half2*>(target - 1), __halves2half2(zero, value));  // @second
  } else {
    atomicAdd(target, value);  // @single
  }
}
