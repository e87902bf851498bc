#include <cuda_fp16.h>

// The block adds up in float; its sum is rounded to half once and added with one atomic.
__global__ void block_then_half(const __half* in, __half* sum, int n) {
  __shared__ float warp_sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  // @phase load
  float value = i < n ? __half2float(in[i]) : 0.0f;
  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < warps ? warp_sums[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) {
      value += __shfl_down_sync(0xffffffff, value, offset);
    }
    // @phase add
    if (lane == 0) atomicAdd(sum, __float2half(value));
  }
}
