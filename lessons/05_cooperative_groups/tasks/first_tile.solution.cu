#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The block is cut into tiles of `Tile` threads, 32 at most, all of one warp. A tile adds its sums
// by shuffles, without shared memory and without a barrier. Its first thread leaves the result in
// shared memory, and the first tile adds what all have left there, by shuffles again.
template <int Tile>
__global__ void batched_tiles(const float* in, float* sums, int per_batch) {
  extern __shared__ float tile_sums[];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<Tile> tile = cg::tiled_partition<Tile>(block);
  const int t = block.thread_rank();
  const int threads = block.size();
  const float* batch = in + size_t(blockIdx.x) * per_batch;

  // @phase load
  float sum = 0.0f;
  for (int i = t; i < per_batch; i += threads) {
    sum += batch[i];
  }

  // @phase reduce
  for (int offset = Tile / 2; offset > 0; offset /= 2) {
    sum += tile.shfl_down(sum, offset);  // @shuffle
  }

  // @phase combine
  if (tile.thread_rank() == 0) {
    tile_sums[tile.meta_group_rank()] = sum;  // @leave
  }
  block.sync();  // @sync

  // @phase store
  // Lane i of the first tile takes the sum of tile i (and, of small tiles, those of tiles further
  // on), and the tile adds them as before.
  if (tile.meta_group_rank() == 0) {
    float total = 0.0f;
    for (int i = tile.thread_rank(); i < tile.meta_group_size(); i += Tile) total += tile_sums[i];
    for (int offset = Tile / 2; offset > 0; offset /= 2) {
      total += tile.shfl_down(total, offset);
    }
    if (tile.thread_rank() == 0) sums[blockIdx.x] = total;
  }
}
