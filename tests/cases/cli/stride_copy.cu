#include <cooperative_groups.h>

__global__ void stride_copy(const float* in, float* out, int n, int stride) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x * stride];
}
