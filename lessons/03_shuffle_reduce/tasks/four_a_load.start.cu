__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

// One float per load. Make it four, with a quarter of the load requests. n is a multiple of 4.
__global__ void packed(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }

  // @phase reduce
  sum = warp_sum(sum);

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < warps ? warp_sums[lane] : 0.0f);

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;
}
