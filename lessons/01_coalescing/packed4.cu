// Each lane copies four neighbours with one 16-byte access, the widest there is.
__global__ void packed4(const float4* in, float4* out, int quads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  // @phase load
  const float4 value = in[i];
  // @phase store
  out[i] = make_float4(value.x, value.y, value.z, value.w);
}
