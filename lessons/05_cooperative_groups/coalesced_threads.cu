#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Keeps the positive elements. The lanes that take the branch together become a group: its first
// thread takes places for all of them with one atomicAdd, tells the others where they begin, and each
// thread's rank is its place among them. A slot of `kept` is a place in the order of arrival.
__global__ void keep_positive(const float* in, float* kept, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // @phase load
  const float value = in[i];

  if (value > 0.0f) {  // @test
    // @phase group
    const cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) {
      first = atomicAdd(count, int(group.size()));  // @count
    }
    first = group.shfl(first, 0);  // @tell

    // @phase store
    kept[first + group.thread_rank()] = value;  // @keep
  }
}
