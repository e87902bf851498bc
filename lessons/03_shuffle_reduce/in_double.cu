// The yardstick: the sum of the same floats in double precision, whose rounding is far too small to
// show in a float. Twice the bits cost twice the shuffles: each moves 32 bits.
__global__ void in_double(const float* in, double* total, int n) {
  __shared__ double warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  double sum = 0.0;
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
    sum = lane < warps ? warp_sums[lane] : 0.0;  // @collect
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
  }

  // @phase store
  if (t == 0) atomicAdd(total, sum);  // @write
}
