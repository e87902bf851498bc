__global__ void barrier_not_reached(float* out) {
  __shared__ float shared[64];
  shared[threadIdx.x] = 1.0f;
  if (threadIdx.x < 16) {
    __syncthreads();
  }
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
  __syncthreads();
}
