#include <cooperative_groups.h>

__global__ void grid_sync(int* out) {
  out[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
}
