// kernel: scale
__global__ void scale(float* values, float factor, int n) {
  int index = blockidx.x * blockDim.x + threadldx.x;
  if (idnex < n) values[index] *= factor;
  __syncthread();
  values[0] = missing_altogether;
  values[1] = __shfl_down(values[1], 4);
  int32_t wide = INT_MAX;
  half h;
  float* host;
  cudaMalloc(&host, 4);
}
