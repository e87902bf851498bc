// wmma.load and wmma.store of every shape, type and layout: D = A · B + C of matrices whose products are exact. Each
// kernel multiplies four times, with A and B by rows or by columns: rows · rows and rows · columns with C and D by rows,
// columns · rows and columns · columns with C and D by columns. Each product has matrices of its own.

#include <mma.h>

namespace wmma = nvcuda::wmma;
namespace narrow = nvcuda::wmma::experimental;

template <typename Layout>
constexpr bool by_rows = false;
template <>
constexpr bool by_rows<wmma::row_major> = true;

template <int m, int n, int k, typename Element, typename OfA, typename OfB, typename Stored, typename Sum>
__device__ void product(const Stored* a, const Stored* b, const Sum* c, Sum* d, wmma::layout_t order) {
  wmma::fragment<wmma::matrix_a, m, n, k, Element, OfA> left;
  wmma::fragment<wmma::matrix_b, m, n, k, Element, OfB> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  wmma::load_matrix_sync(left, a, by_rows<OfA> ? k : m);
  wmma::load_matrix_sync(right, b, by_rows<OfB> ? n : k);
  wmma::load_matrix_sync(sum, c, order == wmma::mem_row_major ? n : m, order);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, order == wmma::mem_row_major ? n : m, order);
}

template <int m, int n, int k, typename Element, typename Stored, typename Sum>
__device__ void products(const Stored* a, const Stored* b, const Sum* c, Sum* d) {
  using Rows = wmma::row_major;
  using Columns = wmma::col_major;
  constexpr int of_a = m * k, of_b = k * n, of_c = m * n;
  product<m, n, k, Element, Rows, Rows>(a, b, c, d, wmma::mem_row_major);
  product<m, n, k, Element, Rows, Columns>(a + of_a, b + of_b, c + of_c, d + of_c, wmma::mem_row_major);
  product<m, n, k, Element, Columns, Rows>(a + 2 * of_a, b + 2 * of_b, c + 2 * of_c, d + 2 * of_c, wmma::mem_col_major);
  product<m, n, k, Element, Columns, Columns>(a + 3 * of_a, b + 3 * of_b, c + 3 * of_c, d + 3 * of_c,
                                              wmma::mem_col_major);
}

// The bits of A are 1024 to 1039, those of B 0 to 15 times 2⁻²⁴, those of C 0.5 to 0.5625.
// run: --grid 1 --block 32 --arg u16[1024]=random:1:25600:25615 --arg u16[1024]=random:2:0:15 --arg u32[1024]=random:3:1056964608:1058013183 --arg u32[1024]=0
__global__ void halves_16x16x16(const __half* a, const __half* b, const float* c, float* d) {
  products<16, 16, 16, __half>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[2048]=random:1:25600:25615 --arg u16[512]=random:2:0:15 --arg u32[1024]=random:3:1056964608:1058013183 --arg u32[1024]=0
__global__ void halves_32x8x16(const __half* a, const __half* b, const float* c, float* d) {
  products<32, 8, 16, __half>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[512]=random:1:25600:25615 --arg u16[2048]=random:2:0:15 --arg u32[1024]=random:3:1056964608:1058013183 --arg u32[1024]=0
__global__ void halves_8x32x16(const __half* a, const __half* b, const float* c, float* d) {
  products<8, 32, 16, __half>(a, b, c, d);
}

// Sums of half precision: the bits of C are 2⁻¹⁰ to 2⁻⁹.
// run: --grid 1 --block 32 --arg u16[1024]=random:1:25600:25615 --arg u16[1024]=random:2:0:15 --arg u16[1024]=random:3:5120:6143 --arg u16[1024]=0
__global__ void sums_of_halves_16x16x16(const __half* a, const __half* b, const __half* c, __half* d) {
  products<16, 16, 16, __half>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[2048]=random:1:25600:25615 --arg u16[512]=random:2:0:15 --arg u16[1024]=random:3:5120:6143 --arg u16[1024]=0
__global__ void sums_of_halves_32x8x16(const __half* a, const __half* b, const __half* c, __half* d) {
  products<32, 8, 16, __half>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[512]=random:1:25600:25615 --arg u16[2048]=random:2:0:15 --arg u16[1024]=random:3:5120:6143 --arg u16[1024]=0
__global__ void sums_of_halves_8x32x16(const __half* a, const __half* b, const __half* c, __half* d) {
  products<8, 32, 16, __half>(a, b, c, d);
}

// The bits are 128 to 255.
// run: --grid 1 --block 32 --arg u16[1024]=random:1:17152:17279 --arg u16[1024]=random:2:17152:17279 --arg f32[1024]=iota --arg f32[1024]=0
__global__ void bfloats_16x16x16(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  products<16, 16, 16, __nv_bfloat16>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[2048]=random:1:17152:17279 --arg u16[512]=random:2:17152:17279 --arg f32[1024]=iota --arg f32[1024]=0
__global__ void bfloats_32x8x16(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  products<32, 8, 16, __nv_bfloat16>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[512]=random:1:17152:17279 --arg u16[2048]=random:2:17152:17279 --arg f32[1024]=iota --arg f32[1024]=0
__global__ void bfloats_8x32x16(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  products<8, 32, 16, __nv_bfloat16>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg f32[512]=iota --arg f32[512]=iota --arg f32[1024]=iota --arg f32[1024]=0
__global__ void tf32_16x16x8(const float* a, const float* b, const float* c, float* d) {
  products<16, 16, 8, wmma::precision::tf32>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg f64[128]=iota --arg f64[128]=iota --arg f64[256]=iota --arg f64[256]=0
__global__ void doubles_8x8x4(const double* a, const double* b, const double* c, double* d) {
  products<8, 8, 4, double>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg i8[1024]=random:1 --arg i8[1024]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void signed_bytes_16x16x16(const signed char* a, const signed char* b, const int* c, int* d) {
  products<16, 16, 16, signed char>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg i8[2048]=random:1 --arg i8[512]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void signed_bytes_32x8x16(const signed char* a, const signed char* b, const int* c, int* d) {
  products<32, 8, 16, signed char>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg i8[512]=random:1 --arg i8[2048]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void signed_bytes_8x32x16(const signed char* a, const signed char* b, const int* c, int* d) {
  products<8, 32, 16, signed char>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u8[1024]=random:1 --arg u8[1024]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void unsigned_bytes_16x16x16(const unsigned char* a, const unsigned char* b, const int* c, int* d) {
  products<16, 16, 16, unsigned char>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u8[2048]=random:1 --arg u8[512]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void unsigned_bytes_32x8x16(const unsigned char* a, const unsigned char* b, const int* c, int* d) {
  products<32, 8, 16, unsigned char>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u8[512]=random:1 --arg u8[2048]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void unsigned_bytes_8x32x16(const unsigned char* a, const unsigned char* b, const int* c, int* d) {
  products<8, 32, 16, unsigned char>(a, b, c, d);
}

// Elements of four bits and of one: A by rows and B by columns only; a line is 16 bytes.
template <int k, typename Element, typename Multiply>
__device__ void narrow_product(const void* a, const void* b, const int* c, int* d, Multiply multiply) {
  for (int i = 0; i < 2; ++i) {
    const wmma::layout_t order = i == 0 ? wmma::mem_row_major : wmma::mem_col_major;
    wmma::fragment<wmma::matrix_a, 8, 8, k, Element, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, k, Element, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 8, 8, k, int> sum;
    wmma::load_matrix_sync(left, static_cast<const char*>(a) + 128 * i, k);
    wmma::load_matrix_sync(right, static_cast<const char*>(b) + 128 * i, k);
    wmma::load_matrix_sync(sum, c + 64 * i, 8, order);
    multiply(sum, left, right);
    wmma::store_matrix_sync(d + 64 * i, sum, 8, order);
  }
}

// run: --grid 1 --block 32 --arg u32[64]=random:1 --arg u32[64]=random:2 --arg i32[128]=random:3:-9999:9999 --arg i32[128]=0
__global__ void signed_nibbles_8x8x32(const int* a, const int* b, const int* c, int* d) {
  narrow_product<32, narrow::precision::s4>(
      a, b, c, d, [](auto& sum, auto& left, auto& right) { wmma::mma_sync(sum, left, right, sum); });
}

// run: --grid 1 --block 32 --arg u32[64]=random:1 --arg u32[64]=random:2 --arg i32[128]=random:3:-9999:9999 --arg i32[128]=0
__global__ void unsigned_nibbles_8x8x32(const int* a, const int* b, const int* c, int* d) {
  narrow_product<32, narrow::precision::u4>(
      a, b, c, d, [](auto& sum, auto& left, auto& right) { wmma::mma_sync(sum, left, right, sum); });
}

// run: --grid 1 --block 32 --arg u32[64]=random:1 --arg u32[64]=random:2 --arg i32[128]=random:3:-9999:9999 --arg i32[128]=0
__global__ void bits_8x8x128(const int* a, const int* b, const int* c, int* d) {
  narrow_product<128, narrow::precision::b1>(
      a, b, c, d, [](auto& sum, auto& left, auto& right) { wmma::bmma_sync(sum, left, right, sum); });
}

template <typename T>
__device__ void copy(T* to, const T* from, int count) {
  for (int i = threadIdx.x; i < count; i += 32) to[i] = from[i];
}

// In shared memory, where ldmatrix loads matrices of halves.
template <int m, int n, int k, typename Element, typename Stored, typename Sum>
__device__ void products_in_shared_memory(const Stored* a, const Stored* b, const Sum* c, Sum* d) {
  __shared__ __align__(128) Stored left[4 * m * k], right[4 * k * n];
  __shared__ __align__(128) Sum sum[4 * m * n];
  copy(left, a, 4 * m * k);
  copy(right, b, 4 * k * n);
  copy(sum, c, 4 * m * n);
  __syncwarp();
  products<m, n, k, Element>(left, right, sum, sum);
  __syncwarp();
  copy(d, sum, 4 * m * n);
}

// run: --grid 1 --block 32 --arg u16[1024]=random:1:25600:25615 --arg u16[1024]=random:2:0:15 --arg u32[1024]=random:3:1056964608:1058013183 --arg u32[1024]=0
__global__ void shared_halves_16x16x16(const __half* a, const __half* b, const float* c, float* d) {
  products_in_shared_memory<16, 16, 16, __half>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[512]=random:1:25600:25615 --arg u16[2048]=random:2:0:15 --arg u16[1024]=random:3:5120:6143 --arg u16[1024]=0
__global__ void shared_sums_of_halves_8x32x16(const __half* a, const __half* b, const __half* c, __half* d) {
  products_in_shared_memory<8, 32, 16, __half>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg u16[2048]=random:1:17152:17279 --arg u16[512]=random:2:17152:17279 --arg f32[1024]=iota --arg f32[1024]=0
__global__ void shared_bfloats_32x8x16(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  products_in_shared_memory<32, 8, 16, __nv_bfloat16>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg f32[512]=iota --arg f32[512]=iota --arg f32[1024]=iota --arg f32[1024]=0
__global__ void shared_tf32_16x16x8(const float* a, const float* b, const float* c, float* d) {
  products_in_shared_memory<16, 16, 8, wmma::precision::tf32>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg f64[128]=iota --arg f64[128]=iota --arg f64[256]=iota --arg f64[256]=0
__global__ void shared_doubles_8x8x4(const double* a, const double* b, const double* c, double* d) {
  products_in_shared_memory<8, 8, 4, double>(a, b, c, d);
}

// run: --grid 1 --block 32 --arg i8[1024]=random:1 --arg i8[1024]=random:2 --arg i32[1024]=random:3:-9999:9999 --arg i32[1024]=0
__global__ void shared_bytes_16x16x16(const signed char* a, const signed char* b, const int* c, int* d) {
  products_in_shared_memory<16, 16, 16, signed char>(a, b, c, d);
}

// The stride is an argument: each warp multiplies its tile of a matrix of 64 × 64 by a row of tiles.
// run: --grid 2 --block 64 --arg u16[4096]=random:1:25600:25615 --arg u16[4096]=random:2:0:15 --arg f32[4096]=0 --arg i32=64
__global__ void tiles_of_a_matrix(const __half* a, const __half* b, float* d, int pitch) {
  const int row = 16 * (2 * blockIdx.x + threadIdx.x / 32);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  for (int column = 0; column < pitch; column += 16) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < pitch; i += 16) {
      wmma::load_matrix_sync(left, a + row * pitch + i, pitch);
      wmma::load_matrix_sync(right, b + i * pitch + column, pitch);
      wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(d + row * pitch + column, sum, pitch, wmma::mem_row_major);
  }
}

// Warp 0 loads from shared memory, warp 1 from global memory, by the same instruction.
// run: --grid 1 --block 64 --arg i8[512]=random:1 --arg i8[256]=random:2 --arg i32[512]=0
__global__ void in_either_memory(const signed char* a, const signed char* b, int* d) {
  __shared__ __align__(128) signed char tile[256];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = a[i];
  __syncthreads();
  const signed char* from = warp == 0 ? tile : a + 256;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::load_matrix_sync(left, from, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::fill_fragment(sum, 0);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d + 256 * warp, sum, 16, wmma::mem_row_major);
}
