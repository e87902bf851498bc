// One ending of two: every block adds its sum to one float. Nobody decides which block comes first,
// and float additions in another order round differently: the last digits may change from run to run.
__global__ void end_atomic(const float* in, float* total, int n) {
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
  if (t == 0) atomicAdd(total, sum);  // @write
}
