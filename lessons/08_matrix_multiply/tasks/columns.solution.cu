#include <cuda_fp16.h>

// Each thread works out one element of C = A · B, straight from global memory. A warp has 32 neighbouring columns of one row.
__global__ void naive(const __half* a, const __half* b, float* c, int n) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  // @phase multiply
  for (int k = 0; k < n; ++k) {
    const float left = __half2float(a[row * n + k]);      // @load_a
    const float right = __half2float(b[k * n + column]);  // @load_b
    sum += left * right;
  }
  // @phase store
  c[row * n + column] = sum;
}
