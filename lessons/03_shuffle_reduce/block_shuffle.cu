__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;  // complete in lane 0 only
}

// Every warp reduces by shuffles, lane 0 of each leaves its sum in shared memory,
// and the first warp reduces those.
__global__ void block_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = i < n ? in[i] : 0.0f;

  // @phase reduce
  sum = warp_sum(sum);

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < warps ? warp_sums[lane] : 0.0f);
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;
}
