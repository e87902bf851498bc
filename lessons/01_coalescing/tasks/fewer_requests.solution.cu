// Four neighbours a lane in one access. n is a multiple of 64, so that no group of four is cut.
__global__ void grid_stride(const float* in, float* out, int n) {
  const int quads = n / 4;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    // @phase load
    const float4 value = reinterpret_cast<const float4*>(in)[i];
    // @phase store
    reinterpret_cast<float4*>(out)[i] = make_float4(value.x, value.y, value.z, value.w);
  }
}
