__global__ void stride_copy(const float* in, float* out, int n, int stride) {
  void* more = nullptr;
  cudaMemcpy(more, in, n, cudaMemcpyDeviceToDevice);
  out[threadIdx.x] = in[threadIdx.x * stride];
}
