// Each lane copies two neighbours with one 8-byte access.
__global__ void packed2(const float2* in, float2* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  // @phase load
  const float2 value = in[i];
  // @phase store
  out[i] = make_float2(value.x, value.y);
}
