#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Sums the block's elements of `in`; thread 0 of the block has the result.
__device__ float block_sum(const cg::thread_block& block, const float* in, int n, float* partial) {
  const int t = block.thread_rank();
  float sum = 0.0f;
  for (int i = blockIdx.x * block.size() + t; i < n; i += gridDim.x * block.size()) sum += in[i];
  partial[t] = sum;
  block.sync();
  for (int half = block.size() / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    block.sync();
  }
  return partial[0];
}

// One launch for the whole array. All blocks write their sums, meet at grid.sync(), and go on with
// the sums as their input until one is left. Two halves of `workspace` take turns.
__global__ void full_grid(const float* in, float* total, float* workspace, int n) {
  extern __shared__ float partial[];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const int blocks = gridDim.x, threads = blockDim.x;
  const float* source = in;
  float* target = workspace;
  int left = n;

  while (left > 1) {
    // @phase round
    const float sum = block_sum(block, source, left, partial);
    const int next = min(blocks, (left + threads - 1) / threads);
    if (block.thread_rank() == 0 && blockIdx.x < next) target[blockIdx.x] = sum;
    // @phase grid sync
    grid.sync();
    left = next;
    source = target;
    target = target == workspace ? workspace + blocks : workspace;
  }

  // @phase store
  if (grid.thread_rank() == 0) *total = source[0];
}
