// Lane i reads element i * stride. The wider the stride, the fewer of the bytes that move are used.
__global__ void stride_copy(const float* in, float* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase load
  const float value = in[i * stride];
  // @phase store
  out[i] = value;
}
