// Element i lies at word i + i / 32: one word left out after every 32, so that elements 32 apart are in neighbouring banks.
__device__ int word(int i) { return i + i / 32; }

__global__ void reduce_strided(const float* in, float* block_sums, int n) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;

  // @phase load
  partial[word(t)] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // @phase halving
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int index = 2 * step * t;
    if (index < blockDim.x) {
      partial[word(index)] += partial[word(index + step)];
    }
    __syncthreads();
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = partial[0];
}
