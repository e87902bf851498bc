#include <cuda_pipeline.h>

// The same, with room for several tiles. cp.async copies from global to shared memory on its own: the thread goes on. So the
// next tiles are on their way while the block works on this one.
template <int stages>
__global__ void staged(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float tile[stages][1024];
  const int thread = threadIdx.x, step = gridDim.x;
  // @phase load
  for (int s = 0; s < stages - 1; ++s) {
    const int t = blockIdx.x + s * step;
    if (t < tiles) __pipeline_memcpy_async(&tile[s][4 * thread], in + t * 1024 + 4 * thread, 16);  // @first
    __pipeline_commit();
  }
  for (int t = blockIdx.x, turn = 0; t < tiles; t += step, ++turn) {
    // @phase load
    const int ahead = t + (stages - 1) * step;
    float* free = tile[(turn + stages - 1) % stages];
    if (ahead < tiles) __pipeline_memcpy_async(free + 4 * thread, in + ahead * 1024 + 4 * thread, 16);  // @fetch
    __pipeline_commit();
    __pipeline_wait_prior(stages - 1);  // this tile's copies are done; the later ones may be under way
    __syncthreads();
    // @phase work
    const float* here = tile[turn % stages];
    for (int i = thread; i < 1024; i += 256) {
      const float sum = here[i] + here[(i + 1) % 1024];  // @add
      out[t * 1024 + i] = sum;                             // @store
    }
    __syncthreads();
  }
}
