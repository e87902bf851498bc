#include <cuda_fp16.h>

// Four 8 × 8 matrices of halves from shared memory into the registers of a warp: each lane names a row of 16 bytes.
__device__ void load_four(unsigned (&to)[4], const __half* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");  // @rows
}
// The same, each of the four turned over its diagonal.
__device__ void load_four_turned(unsigned (&to)[4], const __half* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
}
// A warp multiplies 16 × 16 by 16 × 8 halves and adds the result to 16 × 8 floats.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));  // @mma
}

// A block of four warps works out 64 × 64 elements of C, each warp 32 × 32 of them. Eight halves at the end of each row of
// a tile are never used: they move every row on by four banks.
__global__ void tensor(const __half* a, const __half* b, float* c, int n) {
  __shared__ __align__(16) __half tile_a[64][32 + 8], tile_b[32][64 + 8];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int left = blockIdx.x * 64, top = blockIdx.y * 64;
  const int warp_top = warp / 2 * 32, warp_left = warp % 2 * 32;
  float sum[2][4][4] = {};
  for (int begin = 0; begin < n; begin += 32) {
    // @phase load
    for (int i = thread; i < 256; i += 128) {  // 16 bytes each
      const uint4 of_a = *reinterpret_cast<const uint4*>(&a[(top + i / 4) * n + begin + i % 4 * 8]);
      *reinterpret_cast<uint4*>(&tile_a[i / 4][i % 4 * 8]) = of_a;
      const uint4 of_b = *reinterpret_cast<const uint4*>(&b[(begin + i / 8) * n + left + i % 8 * 8]);
      *reinterpret_cast<uint4*>(&tile_b[i / 8][i % 8 * 8]) = of_b;
    }
    __syncthreads();
    // @phase multiply
    for (int k = 0; k < 32; k += 16) {
      unsigned rows[2][4], columns[2][4];
      for (int i = 0; i < 2; ++i) {
        load_four(rows[i], &tile_a[warp_top + 16 * i + lane % 16][k + lane / 16 * 8]);
        load_four_turned(columns[i], &tile_b[k + lane % 16][warp_left + 16 * i + lane / 16 * 8]);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          multiply(sum[i][j], rows[i], columns[j / 2][j % 2 * 2], columns[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();
  }
  // @phase store
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      const int row = top + warp_top + 16 * i + lane / 4, column = left + warp_left + 8 * j + lane % 4 * 2;
      *reinterpret_cast<float2*>(&c[row * n + column]) = make_float2(sum[i][j][0], sum[i][j][1]);
      *reinterpret_cast<float2*>(&c[(row + 8) * n + column]) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
}
