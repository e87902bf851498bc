// Both loads, then both stores: the order of copy_shared without the detour.
__global__ void copy_register(const double* in, double* out) {
  const size_t i = threadIdx.x + size_t{2} * blockDim.x * blockIdx.x;
  // @phase load
  const double first = in[i];
  const double second = in[i + blockDim.x];
  // @phase store
  out[i] = first;
  out[i + blockDim.x] = second;
}
