#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Adds `count` elements with the threads of one block; its thread 0 gets the sum.
__device__ float piece_sum(const cg::thread_block& block, const float* piece, int count,
                           float* partial) {
  const int t = block.thread_rank();
  const int threads = block.size();
  float sum = 0.0f;
  for (int i = t; i < count; i += threads) {
    sum += piece[i];  // @load
  }
  partial[t] = sum;
  block.sync();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];  // @add
    }
    block.sync();
  }
  return partial[0];
}

// The whole array in one launch. In each round the blocks share out the pieces and write one sum for
// each; then all of them meet at grid.sync(), and the sums are the next round's input. Two parts of
// `workspace` take turns: a round reads one and writes the other.
__global__ void full_grid(const float* in, float* total, float* workspace, int n, int piece) {
  extern __shared__ float partial[];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const float* from = in;
  float* to = workspace;
  float* next_to = workspace + (n + piece - 1) / piece;

  for (int left = n; left > 1;) {
    // @phase round
    const int pieces = (left + piece - 1) / piece;
    for (int p = blockIdx.x; p < pieces; p += gridDim.x) {
      const int first = p * piece;
      const float sum = piece_sum(block, from + first, min(piece, left - first), partial);
      if (block.thread_rank() == 0) to[p] = sum;  // @piece
    }

    // @phase meet
    grid.sync();
    left = pieces;
    from = to;
    to = next_to;
    next_to = const_cast<float*>(from);
  }

  // @phase store
  if (grid.thread_rank() == 0) *total = from[0];
}
