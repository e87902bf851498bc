#include <cuda_fp16.h>

// The warp adds up in float first; one lane in 32 does one float atomic.
__global__ void warp_then_float(const __half* in, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // @phase load
  float value = i < n ? __half2float(in[i]) : 0.0f;
  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  // @phase add
  if (threadIdx.x % 32 == 0) atomicAdd(sum, value);
}
