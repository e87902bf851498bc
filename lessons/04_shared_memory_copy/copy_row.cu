// Two elements a thread, one after the other: load, store, load, store.
// For all the compiler knows, `out` and `in` overlap: the first store might change what the second
// load must find. So it keeps this order.
__global__ void copy_row(const double* in, double* out) {
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
