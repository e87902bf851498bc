#include <cuda_fp16.h>

// A warp adds up its values in float, and its lane 0 does the only atomic.
__global__ void block_then_half(const __half* in, __half* total, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  float value = 0.0f;
  for (int i = thread; i < n; i += threads) {
    value += __half2float(in[i]);
  }

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }

  // @phase add
  if (threadIdx.x % 32 == 0) atomicAdd(total, __float2half(value));
}
