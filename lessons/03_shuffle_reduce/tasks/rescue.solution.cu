#include <cuda_fp16.h>

// Each element becomes a `Sum`, a float, as soon as it is loaded, and stays one.
template <class Sum>
__global__ void half_input(const __half* in, float* block_sums, int n) {
  __shared__ Sum warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  Sum sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    sum = sum + __half2float(in[i]);
  }

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    sum = sum + __shfl_down_sync(0xffffffff, sum, offset);
  }

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : Sum(0.0f);
    for (int offset = 16; offset > 0; offset /= 2) {
      sum = sum + __shfl_down_sync(0xffffffff, sum, offset);
    }
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;
}
