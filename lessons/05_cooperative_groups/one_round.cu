// One round of the many-launch way: every block reduces its share of `in` to one float, and the
// end of the launch is the barrier between rounds.
__global__ void one_round(const float* in, float* sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  // @phase load
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[t] = sum;
  __syncthreads();
  // @phase reduce
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  // @phase store
  if (t == 0) sums[blockIdx.x] = partial[0];
}
