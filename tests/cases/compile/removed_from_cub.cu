// kernel: sum
#include <cub/block/block_reduce.cuh>
__global__ void sum(float* a) {
  using Reduce = cub::BlockReduce<float, 32>;
  __shared__ Reduce::TempStorage room;
  const float all = Reduce(room).Reduce(a[threadIdx.x], cub::Sum());
  if (threadIdx.x == 0) a[0] = all;
}
