#include <cuda_pipeline.h>

// cp.async carries the bytes from global to shared memory without a stop in a register.
__global__ void copy_async(const double* in, double* out) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  const size_t i = t + size_t{2} * blockDim.x * blockIdx.x;
  // @phase load
  __pipeline_memcpy_async(&tile[t], &in[i], sizeof(double));
  __pipeline_memcpy_async(&tile[t + blockDim.x], &in[i + blockDim.x], sizeof(double));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // @phase store
  out[i] = tile[t];
  out[i + blockDim.x] = tile[t + blockDim.x];
}
