// Every warp adds up its 32 values by shuffles. Lane 0 of each leaves the sum in shared memory, and
// the first warp adds up those. A block has at most 32 warps, so one more round is always enough.
__global__ void block_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = i < n ? in[i] : 0.0f;      // @read

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);  // @shuffle
  }

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;  // @hand_over
  __syncthreads();                       // @wait
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : 0.0f;  // @collect
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;  // @write
}
