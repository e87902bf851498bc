#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// One block for each batch, and the group is the whole block. Each thread first adds a share of the
// batch by itself; the block's sums are then added by halving in shared memory. `block.sync()` is
// `__syncthreads()` under the group's name.
__global__ void batched_block(const float* in, float* sums, int per_batch) {
  extern __shared__ float partial[];
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  const int threads = block.size();
  const float* batch = in + size_t(blockIdx.x) * per_batch;

  // @phase load
  float sum = 0.0f;
  for (int i = t; i < per_batch; i += threads) {
    sum += batch[i];
  }

  // @phase reduce
  partial[t] = sum;
  block.sync();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];  // @add
    }
    block.sync();  // @sync
  }

  // @phase store
  if (t == 0) sums[blockIdx.x] = partial[0];
}
