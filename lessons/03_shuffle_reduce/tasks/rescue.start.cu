#include <cuda_fp16.h>

// `Sum` is float here, but every addition below is done in half precision.
template <class Sum>
__global__ void half_input(const __half* in, float* block_sums, int n) {
  __shared__ __half warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  __half sum = __float2half(0.0f);
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    sum = sum + in[i];
  }

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    sum = sum + __shfl_down_sync(0xffffffff, sum, offset);
  }

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : __float2half(0.0f);
    for (int offset = 16; offset > 0; offset /= 2) {
      sum = sum + __shfl_down_sync(0xffffffff, sum, offset);
    }
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = __half2float(sum);
}
