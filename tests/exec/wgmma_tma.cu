// C = A * B with the units of sm_90: one thread copies tiles of A and B by tensor map (TMA, swizzle of 128 bytes), an
// mbarrier says when they are there, and a warpgroup multiplies them from shared memory (wgmma). Two stages: the next
// tiles come while these are multiplied. A is m x k and B is n x k, both with k side by side; C is m x n floats.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int tile_m = 64, tile_n = 64, tile_k = 64;  // halves of k: 128 bytes, one row of the swizzle
constexpr int stages = 2;
constexpr unsigned tile_bytes = (tile_m + tile_n) * tile_k * 2;

struct Tiles {
  __half a[stages][tile_m * tile_k];
  __half b[stages][tile_n * tile_k];
};

__device__ void load(unsigned to, const CUtensorMap* map, int k, int row, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(map), "r"(k), "r"(row), "r"(barrier)
      : "memory");
}

__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "AGAIN:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra AGAIN;\n"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// Rows of 128 bytes, swizzled by 128; eight rows, 1024 bytes, follow each other.
__device__ uint64_t descriptor(unsigned address) {
  return uint64_t(address >> 4 & 0x3fff) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

#define SUMS(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
__device__ void multiply(float (&sum)[32], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
      : SUMS(0), SUMS(4), SUMS(8), SUMS(12), SUMS(16), SUMS(20), SUMS(24), SUMS(28)
      : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(128) matmul(const __grid_constant__ CUtensorMap map_a,
                                              const __grid_constant__ CUtensorMap map_b, float* c, int n, int k) {
  __shared__ alignas(1024) Tiles tiles;
  __shared__ alignas(8) uint64_t full[stages];
  const int row = blockIdx.y * tile_m, column = blockIdx.x * tile_n, steps = k / tile_k;
  const auto in_shared = [](const void* at) { return unsigned(__cvta_generic_to_shared(at)); };
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared(&full[s])) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  const auto begin = [&](int step) {
    const int s = step % stages;
    const unsigned barrier = in_shared(&full[s]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(tile_bytes) : "memory");
    load(in_shared(tiles.a[s]), &map_a, step * tile_k, row, barrier);
    load(in_shared(tiles.b[s]), &map_b, step * tile_k, column, barrier);
  };
  if (threadIdx.x == 0)
    for (int step = 0; step < stages && step < steps; ++step) begin(step);

  float sum[32] = {};
  for (int step = 0; step < steps; ++step) {
    const int s = step % stages;
    wait(in_shared(&full[s]), step / stages % 2);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int part = 0; part < tile_k / 16; ++part)
      multiply(sum, descriptor(in_shared(tiles.a[s]) + part * 32), descriptor(in_shared(tiles.b[s]) + part * 32));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();  // all four warps have read these tiles
    if (threadIdx.x == 0 && step + stages < steps) begin(step + stages);
  }

  // Registers 4j to 4j+3 of a lane: two columns of row lane/4, and the same of the row eight below.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float* out = c + size_t(row + warp * 16 + lane / 4) * n + column + lane % 4 * 2;
  for (int j = 0; j < 8; ++j) {
    *reinterpret_cast<float2*>(out + j * 8) = make_float2(sum[4 * j], sum[4 * j + 1]);
    *reinterpret_cast<float2*>(out + 8 * n + j * 8) = make_float2(sum[4 * j + 2], sum[4 * j + 3]);
  }
}

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// Of rows x k halves, in tiles of 64 x 64.
static CUtensorMap map_of(Encode encode, __half* data, int rows, int k) {
  CUtensorMap map;
  const cuuint64_t dims[] = {cuuint64_t(k), cuuint64_t(rows)}, strides[] = {cuuint64_t(k) * 2};
  const cuuint32_t box[] = {tile_k, 64}, steps[] = {1, 1};
  const CUresult result = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, dims, strides, box, steps,
                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                 CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::printf("cuTensorMapEncodeTiled: %d\n", int(result));
    std::exit(1);
  }
  return map;
}

int main() {
  const int m = 128, n = 192, k = 256;
  std::vector<__half> a(m * k), b(n * k);
  for (int i = 0; i < m * k; ++i) a[i] = __float2half(float(i * 7 % 13 - 6) / 4);
  for (int i = 0; i < n * k; ++i) b[i] = __float2half(float(i * 5 % 11 - 5) / 8);
  __half *da, *db;
  float* dc;
  check(cudaMalloc(&da, a.size() * 2), "cudaMalloc");
  check(cudaMalloc(&db, b.size() * 2), "cudaMalloc");
  check(cudaMalloc(&dc, size_t(m) * n * 4), "cudaMalloc");
  check(cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice), "cudaMemcpy");
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found),
        "cudaGetDriverEntryPointByVersion");
  if (entry == nullptr) return std::printf("no cuTensorMapEncodeTiled\n"), 1;
  const auto encode = reinterpret_cast<Encode>(entry);
  matmul<<<dim3(n / tile_n, m / tile_m), 128>>>(map_of(encode, da, m, k), map_of(encode, db, n, k), dc, n, k);
  check(cudaGetLastError(), "launch");
  std::vector<float> c(size_t(m) * n);
  check(cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;  // all values and sums are multiples of 1/32 below 2^18: exact in any order
      for (int l = 0; l < k; ++l) sum += __half2float(a[i * k + l]) * __half2float(b[j * k + l]);
      if (c[size_t(i) * n + j] != sum && wrong++ < 3) std::printf("c[%d][%d] is %g, not %g\n", i, j, c[size_t(i) * n + j], sum);
    }
  std::printf("%d x %d x %d: %d wrong\n", m, n, k, wrong);
  return wrong != 0;
}
