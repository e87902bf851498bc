// Each block adds up blockDim.x neighbouring elements.
// At every step, thread t works when t is a multiple of 2 * step.
__global__ void reduce_modulo(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  // @phase load
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // @phase halving
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) {          // @test
      partial[t] += partial[t + step];  // @add
    }
    __syncthreads();
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = partial[0];
}
