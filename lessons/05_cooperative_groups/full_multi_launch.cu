// One round of the sum: block p adds piece p. The end of a launch is a barrier for the whole grid,
// so the next round is the next launch, with as many blocks as it has pieces.
__global__ void sum_pieces(const float* in, float* sums, int n, int piece) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * piece;
  const int end = min(first + piece, n);

  // @phase round
  float sum = 0.0f;
  for (int i = first + t; i < end; i += threads) {
    sum += in[i];  // @load
  }
  partial[t] = sum;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];  // @add
    }
    __syncthreads();
  }

  // @phase store
  if (t == 0) sums[blockIdx.x] = partial[0];
}
