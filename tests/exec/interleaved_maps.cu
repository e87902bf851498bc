// What tests/gpu/interleaved_copies.cu leaves open about tensor maps of interleaved layouts: how many bytes a load counts
// on its mbarrier, stores and reductions, and other types, swizzles and steps. interleaved_maps.out holds what an H100
// printed (driver 580.159.04):
//   nvcc -std=c++17 -arch=sm_90a -o build/maps tests/exec/interleaved_maps.cu -lcuda && build/maps
//   lanescope exec --nvcc=-lcuda tests/exec/interleaved_maps.cu
//
// One line per case: the map, the error, whether the phase ended with the expected bytes, and how many bytes differ from
// what the interpreter's rules give: dimension 0 counts pixels of 16 or 32 bytes, the last dimension but one slices, of
// which a box has one.

#include <cuda.h>
#include <cuda_runtime.h>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

constexpr int shared_bytes = 16384, tensor_bytes = 1 << 16;

__device__ unsigned in_shared(const void* at) { return unsigned(__cvta_generic_to_shared(at)); }

enum Way { load, store, reduce };

__global__ void copy(const __grid_constant__ CUtensorMap map, int4 at, int way, int bytes, uint8_t* image, int* done) {
  extern __shared__ __align__(1024) uint8_t room[];
  __shared__ alignas(8) uint64_t barrier;
  const unsigned to = in_shared(room), on = in_shared(&barrier);
  for (int i = threadIdx.x; i < shared_bytes; i += blockDim.x) room[i] = way == load ? 0xee : image[i];
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(on) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0 && way == load) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(on), "r"(bytes) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], "
        "[%6];" ::"r"(to),
        "l"(&map), "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.w), "r"(on)
        : "memory");
    int ended = 0;
    for (int tries = 0; tries < 100000 && ended == 0; ++tries)
      asm volatile(
          "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
          : "=r"(ended)
          : "r"(on)
          : "memory");
    *done = ended;
  }
  if (threadIdx.x == 0 && way == store)
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&map),
                 "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.w), "r"(to)
                 : "memory");
  if (threadIdx.x == 0 && way == reduce)
    asm volatile(
        "cp.reduce.async.bulk.tensor.4d.global.shared::cta.max.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&map),
        "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.w), "r"(to)
        : "memory");
  if (threadIdx.x == 0 && way != load) {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
  __syncthreads();
  if (way == load)
    for (int i = threadIdx.x; i < shared_bytes; i += blockDim.x) image[i] = room[i];
}

struct Case {
  CUtensorMapDataType type;
  int interleave, swizzle;
  cuuint32_t step0;
  int way;
  int at0;
};

constexpr cuuint64_t dim[4] = {11, 4, 3, 2};
constexpr cuuint32_t box[4] = {16, 2, 2, 1};

// Calls move(shared, global, inside) for each 16 bytes of the box.
template <typename Move>
int each_piece(const Case& one, const cuuint64_t* stride, Move move) {
  int position = 0;
  const int pieces = one.interleave, count = int(box[0] + one.step0 - 1) / int(one.step0);
  for (int row = 0; row < int(box[1]); ++row)
    for (int i = 0; i < count; ++i)
      for (int piece = 0; piece < pieces; ++piece, position += 16) {
        const int pixel = one.at0 + i * int(one.step0);
        const int in_shared = position ^ ((position >> 7 & ((1 << one.swizzle) - 1)) << 4);
        const bool inside = pixel >= 0 && pixel < int(dim[0]);
        const long global = pixel * 16L * pieces + (1 + row) * long(stride[0]) + 2 * long(stride[1]) + long(stride[2]);
        move(in_shared, global + 16 * piece, inside);
      }
  return position;
}

// False if the context is lost.
bool run(const Case& one, uint8_t* tensor, uint8_t* image, int* done) {
  const cuuint64_t pixel = 16 * cuuint64_t(one.interleave);
  const cuuint64_t stride[3] = {pixel * dim[0], pixel * dim[0] * dim[1], pixel * dim[0] * dim[1] * dim[2]};
  const cuuint32_t step[4] = {one.step0, 1, 1, 1};
  CUtensorMap map;
  const CUresult made = cuTensorMapEncodeTiled(
      &map, one.type, 4, tensor, dim, stride, box, step, CUtensorMapInterleave(one.interleave),
      CUtensorMapSwizzle(one.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  std::printf("type %2d interleave %d swizzle %d step %d way %d at %d: made %d", int(one.type), one.interleave,
              one.swizzle, int(one.step0), one.way, one.at0, int(made));
  if (made != CUDA_SUCCESS) {
    std::printf("\n");
    return true;
  }
  std::vector<uint8_t> global(tensor_bytes), shared(shared_bytes);
  for (int i = 0; i < tensor_bytes; i += 2) {
    const uint16_t value = one.way == load ? uint16_t(i / 2 + 1) : uint16_t(0xeeee);
    std::memcpy(&global[i], &value, 2);
  }
  for (int i = 0; i < shared_bytes; i += 2) {
    const uint16_t value = uint16_t(i / 2 + 1);
    std::memcpy(&shared[i], &value, 2);
  }
  if (one.way == load) std::fill(shared.begin(), shared.end(), uint8_t(0xee));
  cudaMemcpy(tensor, global.data(), tensor_bytes, cudaMemcpyHostToDevice);
  std::memcpy(image, shared.data(), shared_bytes);
  *done = 0;
  const int bytes = each_piece(one, stride, [&](int at, long from, bool inside) {
    if (one.way == load && inside)
      std::memcpy(&shared[at], &global[from], 16);
    else if (one.way == load)
      std::memset(&shared[at], 0, 16);
    else if (inside)
      std::memcpy(&global[from], &shared[at], 16);
  });
  cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  copy<<<1, 128, shared_bytes>>>(map, make_int4(one.at0, 1, 2, 1), one.way, bytes, image, done);
  const cudaError_t ran = cudaDeviceSynchronize();
  std::vector<uint8_t> got(tensor_bytes);
  cudaMemcpy(got.data(), tensor, tensor_bytes, cudaMemcpyDeviceToHost);
  int differ = 0;
  for (int i = 0; i < tensor_bytes; ++i) differ += one.way != load && got[i] != global[i];
  for (int i = 0; i < shared_bytes; ++i) differ += one.way == load && image[i] != shared[i];
  std::printf(" ran %d, %d bytes, done %d, %d bytes differ\n", int(ran), bytes, *done, differ);
  std::fflush(stdout);
  return ran == cudaSuccess;
}

int main(int argc, char** argv) {
  uint8_t *tensor = nullptr, *image = nullptr;
  int* done = nullptr;
  cudaMalloc(&tensor, tensor_bytes);
  cudaMallocManaged(&image, shared_bytes);
  cudaMallocManaged(&done, 4);
  const auto f16 = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  std::vector<Case> cases;
  for (int interleave = 1; interleave <= 2; ++interleave)
    for (int swizzle = 0; swizzle <= 2; ++swizzle)
      for (const int at0 : {0, 7})
        for (const int way : {load, store, reduce}) cases.push_back({f16, interleave, swizzle, 1, way, at0});
  const Case others[] = {{CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 0, 1, load, 0},   {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, 0, 1, load, 0},
                          {CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, 1, 1, load, 3},   {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, 2, 1, load, 3},
                          {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 2, 0, 1, load, 0}, {f16, 1, 3, 1, load, 0},
                          {f16, 2, 3, 1, load, 0},                             {f16, 1, 0, 2, load, 0},
                          {f16, 2, 1, 3, load, 0},                             {f16, 2, 1, 2, store, 0}};
  cases.insert(cases.end(), std::begin(others), std::end(others));
  for (std::size_t number = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0; number < cases.size(); ++number) {
    if (!run(cases[number], tensor, image, done))  // another process goes on
      return execl(argv[0], argv[0], std::to_string(number + 1).c_str(), nullptr);
  }
}
