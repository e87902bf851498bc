#include <cuda_fp16.h>

// A block works out 32 × 32 elements of C. It takes 32 × 32 elements of A and of B into shared memory, where each is used
// 32 times, then the next.
__global__ void tiled(const __half* a, const __half* b, float* c, int n) {
  __shared__ __half tile_a[32][32], tile_b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (int begin = 0; begin < n; begin += 32) {
    // @phase load
    tile_a[y][x] = a[row * n + begin + x];
    tile_b[y][x] = b[(begin + y) * n + column];
    __syncthreads();
    // @phase multiply
    for (int k = 0; k < 32; ++k)
      sum += __half2float(tile_a[y][k]) * __half2float(tile_b[k][x]);  // @fma
    __syncthreads();
  }
  // @phase store
  c[row * n + column] = sum;
}
