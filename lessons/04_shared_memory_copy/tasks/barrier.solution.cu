// Thread t stores what another thread has loaded: the one at the other end of the block. So all of
// them wait until everybody has written.
__global__ void copy_shared(const double* in, double* out) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  const int other = blockDim.x - 1 - t;
  const size_t first = 2 * blockDim.x * blockIdx.x;
  // @phase load
  tile[t] = in[first + t];
  tile[t + blockDim.x] = in[first + t + blockDim.x];
  __syncthreads();
  // @phase store
  out[first + other] = tile[other];
  out[first + other + blockDim.x] = tile[other + blockDim.x];
}
