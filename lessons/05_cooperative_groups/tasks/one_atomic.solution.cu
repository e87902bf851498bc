#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The groups of a block first take places in a counter of the block, in shared memory. Then one
// thread takes places for the whole block with a single atomicAdd in global memory.
__global__ void keep_positive(const float* in, float* kept, int* count, int n) {
  __shared__ int block_count, block_first;
  const cg::thread_block block = cg::this_thread_block();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (block.thread_rank() == 0) block_count = 0;
  block.sync();

  // @phase load
  const float value = i < n ? in[i] : 0.0f;

  // @phase group
  int place = 0;
  if (value > 0.0f) {  // @test
    const cg::coalesced_group group = cg::coalesced_threads();
    if (group.thread_rank() == 0) {
      place = atomicAdd(&block_count, int(group.size()));
    }
    place = group.shfl(place, 0) + group.thread_rank();  // @tell
  }
  block.sync();
  if (block.thread_rank() == 0) {
    block_first = atomicAdd(count, block_count);  // @count
  }
  block.sync();

  // @phase store
  if (value > 0.0f) kept[block_first + place] = value;  // @keep
}
