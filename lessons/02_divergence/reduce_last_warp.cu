// Like reduce_sequential until one warp is left. That warp needs no shared memory and no barrier:
// its lanes hand their sums down by shuffles.
__global__ void reduce_last_warp(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  // @phase load
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // @phase halving
  for (int half = blockDim.x / 2; half >= 32; half /= 2) {
    if (t < half) {                     // @test
      partial[t] += partial[t + half];  // @add
    }
    __syncthreads();
  }

  // @phase last warp
  if (t < 32) {
    float sum = partial[t];
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffff, sum, offset);  // @shuffle
    }
    // @phase store
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
