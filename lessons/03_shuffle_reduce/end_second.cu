// The other ending: this kernel is launched twice. The first launch leaves one sum a block; the second
// is a single block that adds up those. Every addition has its place, so the result never changes.
__global__ void end_second(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];  // @read
  }

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
