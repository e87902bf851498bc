// The four lines of copy_row in another order: both loads, then both stores. Each value waits in a
// variable, that is in registers.
__global__ void copy_register(const double* in, double* out) {
  const size_t i = threadIdx.x + 2 * blockDim.x * blockIdx.x;
  // @phase load
  const double first = in[i];                // @load1
  const double second = in[i + blockDim.x];  // @load2
  // @phase store
  out[i] = first;                 // @store1
  out[i + blockDim.x] = second;  // @store2
}
