#include <cuda_pipeline.h>

// The instruction `cp.async` carries bytes from global to shared memory without a stop in a register.
// It only sets the copy off; before the thread reads the tile, it waits until its copies are there.
__global__ void copy_async(const double* in, double* out) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  const size_t i = t + 2 * blockDim.x * blockIdx.x;
  // @phase load
  __pipeline_memcpy_async(&tile[t], &in[i], sizeof(double));                            // @load1
  __pipeline_memcpy_async(&tile[t + blockDim.x], &in[i + blockDim.x], sizeof(double));  // @load2
  // @phase wait
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // @phase store
  out[i] = tile[t];                            // @store1
  out[i + blockDim.x] = tile[t + blockDim.x];  // @store2
}
