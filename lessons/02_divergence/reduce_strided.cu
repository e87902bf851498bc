// The same additions as reduce_modulo, done by the first threads of the block:
// thread t works on element 2 * step * t.
__global__ void reduce_strided(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  // @phase load
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // @phase halving
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int index = 2 * step * t;
    if (index < blockDim.x) {                   // @test
      partial[index] += partial[index + step];  // @add
    }
    __syncthreads();
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = partial[0];
}
