// Copies by tensor map (TMA): a stencil whose border the copy itself fills with zeros, tiles that are stored and added by
// bulk copies, and a 3 x 3 convolution whose pixels come in im2col mode. Each result is checked on the host.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

constexpr int tile = 32, halo_columns = tile + 8, halo_rows = tile + 2;  // four columns each side: 16 bytes

__device__ unsigned in_shared(const void* at) {
  return unsigned(__cvta_generic_to_shared(at));
}

__device__ void expect(uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared(barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(barrier)), "r"(bytes) : "memory");
}

__device__ void wait(uint64_t* barrier) {
  unsigned done = 0;
  while (done == 0)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(in_shared(barrier))
        : "memory");
}

__device__ void finish_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// out = the sum of the four neighbours; sums += the tile, all tiles on top of each other.
__global__ void stencil(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out,
                        const __grid_constant__ CUtensorMap sums) {
  __shared__ alignas(128) float box[halo_rows * halo_columns];
  __shared__ alignas(128) float result[tile * tile];
  __shared__ alignas(8) uint64_t barrier;
  const int column = blockIdx.x * tile, row = blockIdx.y * tile;
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof box);
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
            "r"(in_shared(box)),
        "l"(&in), "r"(column - 4), "r"(row - 1), "r"(in_shared(&barrier))
        : "memory");
  }
  __syncthreads();
  wait(&barrier);
  for (int i = threadIdx.x; i < tile * tile; i += blockDim.x) {
    const float* at = box + (i / tile + 1) * halo_columns + i % tile + 4;
    result[i] = at[-1] + at[1] + at[-halo_columns] + at[halo_columns];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&out), "r"(column),
               "r"(row), "r"(in_shared(result))
               : "memory");
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %1}], [%2];" ::"l"(&sums),
               "r"(0), "r"(in_shared(result))
               : "memory");
  finish_stores();
}

// An image of 8 channels, rows of pixels in memory; 64 pixels for each block and each of the nine neighbours.
constexpr int channels = 8, width = 20, height = 12, images = 2, pixels = 64;

__global__ void convolution(const __grid_constant__ CUtensorMap in, float* out) {
  __shared__ alignas(128) float box[9][pixels * channels];
  __shared__ alignas(8) uint64_t barrier;
  const int first = blockIdx.x * pixels;
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof box);
    const int w = first % width - 1, h = first / width % height - 1, n = first / (width * height);
    for (int k = 0; k < 9; ++k)
      asm volatile(
          "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], "
          "[%6], {%7, %8};" ::"r"(in_shared(box[k])),
          "l"(&in), "r"(0), "r"(w), "r"(h), "r"(n), "r"(in_shared(&barrier)), "h"(uint16_t(k % 3)), "h"(uint16_t(k / 3))
          : "memory");
  }
  __syncthreads();
  wait(&barrier);
  const int pixel = threadIdx.x;
  if (first + pixel >= width * height * images) return;
  float sum = 0;
  for (int k = 0; k < 9; ++k)
    for (int c = 0; c < channels; ++c) sum += box[k][pixel * channels + c] * (k + 1);
  out[first + pixel] = sum;
}

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <typename Function>
static Function* entry(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  check(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result), name);
  if (found == nullptr) std::printf("no %s\n", name), std::exit(1);
  return reinterpret_cast<Function*>(found);
}

static CUtensorMap tiled(float* data, int columns, int rows, int box_columns, int box_rows) {
  CUtensorMap map;
  const cuuint64_t dims[] = {cuuint64_t(columns), cuuint64_t(rows)}, strides[] = {cuuint64_t(columns) * 4};
  const cuuint32_t box[] = {cuuint32_t(box_columns), cuuint32_t(box_rows)}, steps[] = {1, 1};
  const CUresult made = entry<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled")(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS) std::printf("cuTensorMapEncodeTiled: %d\n", int(made)), std::exit(1);
  return map;
}

static CUtensorMap pixels_of(float* data) {
  CUtensorMap map;
  const cuuint64_t dims[] = {channels, width, height, images};
  const cuuint64_t strides[] = {channels * 4, channels * width * 4, channels * width * height * 4};
  const int lower[] = {-1, -1}, upper[] = {-1, -1};
  const cuuint32_t steps[] = {1, 1, 1, 1};
  // With another address first; the tensor's is set later.
  CUresult made = entry<decltype(cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col")(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, data + channels * width, dims, strides, lower, upper, channels, pixels, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made == CUDA_SUCCESS)
    made = entry<decltype(cuTensorMapReplaceAddress)>("cuTensorMapReplaceAddress")(&map, data);
  if (made != CUDA_SUCCESS) std::printf("cuTensorMapEncodeIm2col: %d\n", int(made)), std::exit(1);
  return map;
}

static float* on_device(const std::vector<float>& values) {
  float* data;
  check(cudaMalloc(&data, values.size() * 4), "cudaMalloc");
  check(cudaMemcpy(data, values.data(), values.size() * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  return data;
}

static int differences(const char* what, const std::vector<float>& expected, const float* data) {
  std::vector<float> got(expected.size());
  check(cudaMemcpy(got.data(), data, got.size() * 4, cudaMemcpyDeviceToHost), what);
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i] && wrong++ < 3) std::printf("%s[%zu] is %g, not %g\n", what, i, got[i], expected[i]);
  std::printf("%s: %d wrong\n", what, wrong);
  return wrong;
}

// All numbers are small integers, so every sum is exact.
static int stencil_is_wrong() {
  const int columns = 80, rows = 50;  // the last tiles extend past the tensor
  std::vector<float> in(columns * rows), out(columns * rows), sums(tile * tile);
  for (int i = 0; i < columns * rows; ++i) in[i] = float(i * 7 % 31);
  const auto at = [&](int x, int y) { return x < 0 || x >= columns || y < 0 || y >= rows ? 0.0f : in[y * columns + x]; };
  const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  for (int y = 0; y < int(grid.y) * tile; ++y)
    for (int x = 0; x < int(grid.x) * tile; ++x) {
      const float sum = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
      if (x < columns && y < rows) out[y * columns + x] = sum;
      sums[y % tile * tile + x % tile] += sum;
    }
  float *d_in = on_device(in), *d_out = on_device(std::vector<float>(out.size())), *d_sums = on_device(std::vector<float>(sums.size()));
  stencil<<<grid, 128>>>(tiled(d_in, columns, rows, halo_columns, halo_rows), tiled(d_out, columns, rows, tile, tile),
                         tiled(d_sums, tile, tile, tile, tile));
  check(cudaGetLastError(), "stencil");
  return differences("stencil", out, d_out) + differences("sums", sums, d_sums);
}

static int convolution_is_wrong() {
  const int count = width * height * images;
  std::vector<float> in(count * channels), out(count);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i * 5 % 17);
  for (int p = 0; p < count; ++p)
    for (int k = 0; k < 9; ++k) {
      const int x = p % width + k % 3 - 1, y = p / width % height + k / 3 - 1, n = p / (width * height);
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      for (int c = 0; c < channels; ++c) out[p] += in[((n * height + y) * width + x) * channels + c] * (k + 1);
    }
  float *d_in = on_device(in), *d_out = on_device(std::vector<float>(out.size()));
  convolution<<<(count + pixels - 1) / pixels, pixels>>>(pixels_of(d_in), d_out);
  check(cudaGetLastError(), "convolution");
  return differences("convolution", out, d_out);
}

int main() {
  return stencil_is_wrong() + convolution_is_wrong() != 0;
}
