#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The block is cut into tiles of `Tile` threads. Each tile reduces by its own shuffles, its first
// thread leaves the sum in shared memory, and one thread adds those.
template <int Tile>
__global__ void batched_tiles(const float* in, float* sums, int per_batch) {
  extern __shared__ float tile_sums[];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Tile>(block);
  const float* batch = in + size_t{blockIdx.x} * per_batch;

  // @phase load
  float sum = 0.0f;
  for (int i = block.thread_rank(); i < per_batch; i += block.size()) sum += batch[i];

  // @phase reduce
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) {
    sum += tile.shfl_down(sum, offset);
  }

  // @phase combine
  if (tile.thread_rank() == 0) tile_sums[tile.meta_group_rank()] = sum;
  block.sync();

  // @phase store
  if (block.thread_rank() == 0) {
    float total = 0.0f;
    for (int i = 0; i < tile.meta_group_size(); ++i) total += tile_sums[i];
    sums[blockIdx.x] = total;
  }
}
