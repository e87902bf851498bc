#include <cuda_fp16.h>

// Zero for the neighbour, whichever side of the sum it lies on; a single half where the pair would reach
// out of the `length` halves of the array.
__global__ void half2_padded(const __half* in, __half* sums, int n, int bins, int length) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  __half value = __float2half(0.0f);
  for (int i = thread; i < n; i += threads) {
    value += in[i];
  }

  // @phase add
  const __half zero = __float2half(0.0f);
  const int index = thread % bins;
  const bool first_of_pair = reinterpret_cast<size_t>(&sums[index]) % 4 == 0;
  if (first_of_pair && index + 1 < length) {
    atomicAdd(reinterpret_cast<__half2*>(&sums[index]), __halves2half2(value, zero));
  } else if (!first_of_pair && index > 0) {
    atomicAdd(reinterpret_cast<__half2*>(&sums[index - 1]), __halves2half2(zero, value));
  } else {
    atomicAdd(&sums[index], value);
  }
}
