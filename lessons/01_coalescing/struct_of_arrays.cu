// The same particles with each quantity in an array of its own: the masses lie side by side.
__global__ void struct_of_arrays(const float* x, const float* y, const float* z, const float* mass,
                                 float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase load
  const float value = mass[i];
  // @phase store
  out[i] = value;
}
