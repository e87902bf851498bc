// Both loads, a stop in shared memory, both stores. A thread reads back only what it wrote itself,
// so there is nobody to wait for and no barrier is needed.
__global__ void copy_shared(const double* in, double* out) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  const size_t i = t + 2 * blockDim.x * blockIdx.x;
  // @phase load
  tile[t] = in[i];                            // @load1
  tile[t + blockDim.x] = in[i + blockDim.x];  // @load2
  // @phase store
  out[i] = tile[t];                            // @store1
  out[i + blockDim.x] = tile[t + blockDim.x];  // @store2
}
