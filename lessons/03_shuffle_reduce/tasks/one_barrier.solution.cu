// Each warp adds up its 32 values in registers; the block meets once, over one sum a warp.
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

__global__ void block_shared(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = i < n ? in[i] : 0.0f;

  // @phase reduce
  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < warps ? partial[lane] : 0.0f);

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;
}
