// 1,048,576 floats, 256 per block: at every step the threads whose number is a multiple of 2 * step add.
__global__ void reduce0(const float* in, float* sums) {
  __shared__ float partial[256];
  const int t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int step = 1; step < (int)blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) partial[t] += partial[t + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}
