// Both loads, a stop in shared memory, both stores. Each thread reads back only what it wrote
// itself, so no barrier is needed.
__global__ void copy_shared(const double* in, double* out) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  const size_t i = t + size_t{2} * blockDim.x * blockIdx.x;
  // @phase load
  tile[t] = in[i];
  tile[t + blockDim.x] = in[i + blockDim.x];
  // @phase store
  out[i] = tile[t];
  out[i + blockDim.x] = tile[t + blockDim.x];
}
