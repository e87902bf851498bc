#include <cuda_fp16.h>

// Two things at once: the sum is a float, and a warp adds up its 32 values by shuffles before one lane
// of it does one atomic.
__global__ void warp_then_float(const __half* in, float* total, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  float value = 0.0f;
  for (int i = thread; i < n; i += threads) {
    value += __half2float(in[i]);  // @read
  }

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);  // @shuffle
  }

  // @phase add
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, value);  // @atomic
  }
}
