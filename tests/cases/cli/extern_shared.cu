__global__ void extern_shared(float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
