// The same four lines as copy_row, in the same order. `__restrict__` is our promise that nothing is
// written through `out` that is read through `in`. Now the compiler may put both loads first.
__global__ void copy_row_restrict(const double* __restrict__ in, double* __restrict__ out) {
  const size_t i = threadIdx.x + 2 * blockDim.x * blockIdx.x;
  // @phase load
  const double first = in[i];  // @load1
  // @phase store
  out[i] = first;  // @store1
  // @phase load
  const double second = in[i + blockDim.x];  // @load2
  // @phase store
  out[i + blockDim.x] = second;  // @store2
}
