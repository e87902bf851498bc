__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;  // complete in lane 0 only
}

// The first of two endings: every block adds its sum to one float. The order of those additions
// is not fixed, so neither is the last bit of the result.
__global__ void end_atomic(const float* in, float* total, int n) {
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
  if (t == 0) atomicAdd(total, sum);
}
