#include <cuda_fp16.h>

// A thread works out 4 × 4 elements of C: the 4 + 4 numbers that it reads from shared memory serve 16 multiplications. A
// block of 16 × 16 threads has 64 × 64 elements; a thread's are 16 rows and 16 columns apart, so that neighbouring threads
// read neighbouring words.
__global__ void registers(const __half* a, const __half* b, float* c, int n) {
  __shared__ __half tile_a[64][16], tile_b[16][64];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * 16 + x;
  const int left = blockIdx.x * 64, top = blockIdx.y * 64;
  float sum[4][4] = {};
  for (int begin = 0; begin < n; begin += 16) {
    // @phase load
    for (int i = thread; i < 64 * 16; i += 256) {
      tile_a[i / 16][i % 16] = a[(top + i / 16) * n + begin + i % 16];
      tile_b[i / 64][i % 64] = b[(begin + i / 64) * n + left + i % 64];
    }
    __syncthreads();
    // @phase multiply
    for (int k = 0; k < 16; ++k) {
      float column[4], row[4];
      for (int i = 0; i < 4; ++i) {
        column[i] = __half2float(tile_a[y + 16 * i][k]);
        row[i] = __half2float(tile_b[k][x + 16 * i]);
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += column[i] * row[j];  // @fma
    }
    __syncthreads();
  }
  // @phase store
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(top + y + 16 * i) * n + left + x + 16 * j] = sum[i][j];
}
