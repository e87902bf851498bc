#include <cuda_fp16.h>

// The pair that begins at the sum gets the value in both halves: the half beside the sum grows too.
__global__ void half2_padded(const __half* in, __half* sums, int n, int bins, int length) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  __half value = __float2half(0.0f);
  for (int i = thread; i < n; i += threads) {
    value += in[i];
  }

  // @phase add
  atomicAdd(reinterpret_cast<__half2*>(&sums[thread % bins]), __halves2half2(value, value));
}
