#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The lanes whose element is positive form a group of their own, and its first thread takes places
// for all of them with one atomic.
__global__ void coalesced(const float* in, float* kept, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase load
  const float value = in[i];
  if (value > 0.0f) {
    // @phase group
    const cg::coalesced_group group = cg::coalesced_threads();
    int first;
    if (group.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(group.size()));
    first = group.shfl(first, 0);
    // @phase store
    kept[first + group.thread_rank()] = value;
  }
}
