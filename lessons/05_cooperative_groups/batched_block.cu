#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// One block a batch. The group is the whole block: a tree in shared memory, and group.sync()
// after each halving.
__global__ void batched_block(const float* in, float* sums, int per_batch) {
  extern __shared__ float partial[];
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  const float* batch = in + size_t{blockIdx.x} * per_batch;

  // @phase load
  float sum = 0.0f;
  for (int i = t; i < per_batch; i += block.size()) sum += batch[i];
  partial[t] = sum;
  block.sync();

  // @phase reduce
  for (int half = block.size() / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    block.sync();
  }

  // @phase store
  if (t == 0) sums[blockIdx.x] = partial[0];
}
