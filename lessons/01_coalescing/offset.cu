// Neighbouring lanes read neighbouring elements, but the first one need not begin a sector.
__global__ void offset_copy(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase load
  const float value = in[i + offset];
  // @phase store
  out[i] = value;
}
