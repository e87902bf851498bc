// A tree in shared memory. At each halving a thread reads two words and writes one, and the whole
// block waits before the next: another warp may still be writing what this one reads.
__global__ void block_shared(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  // @phase load
  partial[t] = i < n ? in[i] : 0.0f;    // @read
  __syncthreads();

  // @phase reduce
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];  // @add
    }
    __syncthreads();                    // @wait
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = partial[0];  // @write
}
