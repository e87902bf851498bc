// Broken on purpose: the barrier at the end of each halving is gone, so a warp may read a sum
// that another warp has not written yet.
__global__ void reduce_missing_barrier(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  // @phase load
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // @phase halving
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {                     // @test
      partial[t] += partial[t + half];  // @add
    }
  }

  // @phase store
  __syncthreads();
  if (t == 0) block_sums[blockIdx.x] = partial[0];
}
