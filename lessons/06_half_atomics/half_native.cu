#include <cuda_fp16.h>

// Every thread adds up its elements and then adds that to one of `bins` half-precision sums, with the
// atomicAdd that cuda_fp16.h has for a half.
__global__ void half_native(const __half* in, __half* sums, int n, int bins) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  __half value = __float2half(0.0f);
  for (int i = thread; i < n; i += threads) {
    value += in[i];  // @read
  }

  // @phase add
  atomicAdd(&sums[thread % bins], value);  // @atomic
}
