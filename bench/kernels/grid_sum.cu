// Not run: PTX parser input from a kernel that uses cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void grid_sum(const float* in, float* sums, int n) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) atomicAdd(&sums[grid.block_rank()], sum);
  grid.sync();
  if (grid.thread_rank() == 0)
    for (int i = 1; i < (int)grid.num_blocks(); ++i) sums[0] += sums[i];
}
