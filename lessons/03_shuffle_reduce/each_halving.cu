// warp_shuffle for a single warp that writes down what every lane holds: row 0 is the input, row h the
// 32 partial sums after h halvings. Only for looking; a real kernel keeps them in registers.
__global__ void each_halving(const float* in, float* rows) {
  const int lane = threadIdx.x;

  // @phase load
  float sum = in[lane];
  rows[lane] = sum;

  // @phase reduce
  int row = 1;
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);  // @shuffle
    rows[32 * row++ + lane] = sum;                     // @write
  }
}
