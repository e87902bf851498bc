// A warp adds up its own 32 values. Each lane keeps its sum in a register, and a shuffle hands it to the
// lane `offset` places below: no shared memory, no barrier. The shuffles end with the whole sum in lane 0.
__global__ void warp_shuffle(const float* in, float* warp_sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;

  // @phase load
  float sum = i < n ? in[i] : 0.0f;                  // @read

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);  // @shuffle
  }

  // @phase store
  if (lane == 0 && i < n) {
    warp_sums[i / 32] = sum;                         // @write
  }
}
