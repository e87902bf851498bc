#include <cuda_fp16.h>

// When the result must be a half: the whole block adds up in float, rounds once, and does one atomic.
__global__ void block_then_half(const __half* in, __half* total, int n) {
  __shared__ float warp_sums[32];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

  // @phase load
  float value = 0.0f;
  for (int i = thread; i < n; i += threads) {
    value += __half2float(in[i]);  // @read
  }

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);  // @shuffle
  }
  if (lane == 0) warp_sums[warp] = value;  // @hand_over
  __syncthreads();
  if (warp == 0) {
    value = lane < warps ? warp_sums[lane] : 0.0f;  // @collect
    for (int offset = 16; offset > 0; offset /= 2) {
      value += __shfl_down_sync(0xffffffff, value, offset);
    }
  }

  // @phase add
  if (threadIdx.x == 0) {
    atomicAdd(total, __float2half(value));  // @atomic
  }
}
