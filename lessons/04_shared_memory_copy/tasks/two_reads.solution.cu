// `volatile` tells the compiler that the tile may change behind its back, so it must read what the
// program reads. (A __syncthreads() between writing and reading would have the same effect, at the
// price of a barrier.)
__global__ void copy_shared(const double* in, double* out) {
  extern __shared__ double memory[];
  volatile double* tile = memory;
  const int t = threadIdx.x;
  const size_t i = t + 2 * blockDim.x * blockIdx.x;
  // @phase load
  tile[t] = in[i];
  tile[t + blockDim.x] = in[i + blockDim.x];
  // @phase store
  out[i] = tile[t];
  out[i + blockDim.x] = tile[t + blockDim.x];
}
