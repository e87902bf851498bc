// Fewer threads than elements: each goes on by the size of the whole grid, so that at every turn
// neighbouring lanes read neighbouring elements.
__global__ void grid_stride(const float* in, float* out, int n) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    // @phase load
    const float value = in[i];
    // @phase store
    out[i] = value;
  }
}
