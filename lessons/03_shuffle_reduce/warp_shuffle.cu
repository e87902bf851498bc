// Each warp adds up its own 32 values by shuffles: no shared memory, no barrier.
// Only lane 0 ends up with the whole sum.
__global__ void warp_shuffle(const float* in, float* warp_sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;

  // @phase load
  float sum = i < n ? in[i] : 0.0f;

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }

  // @phase store
  if (lane == 0) warp_sums[i / 32] = sum;
}
