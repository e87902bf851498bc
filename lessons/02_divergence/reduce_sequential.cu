// Halving from the top: the first `half` threads each add the element `half` places on.
// Neighbouring threads touch neighbouring words.
__global__ void reduce_sequential(const float* in, float* block_sums, int n) {
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
    __syncthreads();
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = partial[0];
}
