__global__ void misaligned(const char* in, float* out) {
  out[threadIdx.x] = *reinterpret_cast<const float*>(in + 4 * threadIdx.x + 1);
}
