// ldmatrix and stmatrix: the lanes give the addresses of the rows of 8 × 8 matrices.

// The rows of one warp's four matrices are contiguous: no bank conflict.
// run: --grid 1 --block 32 --arg i16[256]=iota --arg u32[128]=0
__global__ void matrices_of_a_tile(const uint4* in, uint4* out) {
  __shared__ uint4 tile[32];
  const int lane = threadIdx.x;
  tile[lane] = in[lane];
  __syncthreads();
  uint4 held;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(held.x), "=r"(held.y), "=r"(held.z), "=r"(held.w)
               : "r"(at));
  out[lane] = held;
}

// Rows 128 bytes apart: all eight in the same four banks. Only lanes 0 to 7 give addresses.
// run: --grid 1 --block 32 --arg i16[512]=iota --arg u32[32]=0
__global__ void one_matrix_turned(const uint4* in, unsigned* out) {
  __shared__ uint4 tile[64];
  const int lane = threadIdx.x;
  tile[lane] = in[lane], tile[32 + lane] = in[32 + lane];
  __syncthreads();
  unsigned held;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane % 8 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(held) : "r"(at));
  out[lane] = held;
}

// run: --grid 1 --block 64 --arg i16[256]=iota --arg u32[128]=0
__global__ void two_matrices_of_each_warp(const uint4* in, uint2* out) {
  __shared__ uint4 tile[2][16];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane < 16) tile[warp][lane] = in[16 * warp + lane];
  __syncthreads();
  for (int turn = 0; turn < 3; ++turn) {
    uint2 held;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[warp][lane % 16]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(held.x), "=r"(held.y) : "r"(at));
    out[threadIdx.x] = held;
  }
}

// run: --grid 1 --block 32 --arg i16[256]=iota --arg u32[128]=0
__global__ void matrices_stored_turned(const uint4* in, uint4* out) {
  __shared__ uint4 tile[32];
  const int lane = threadIdx.x;
  const uint4 held = in[lane];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(held.x), "r"(held.y),
               "r"(held.z), "r"(held.w)
               : "memory");
  __syncthreads();
  out[lane] = tile[lane];
}
