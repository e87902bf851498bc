// Prints what a GPU does with tensor maps of interleaved layouts (CU_TENSOR_MAP_INTERLEAVE_16B and _32B), which the
// interpreter does not know. "PTX ISA" says only that channels are in slices of 16 or 32 bytes.
//   nvcc -std=c++17 -arch=sm_90a -o build/interleaved tests/gpu/interleaved_copies.cu -lcuda && build/interleaved
//
// Every 16-bit element of global memory is its index. One line per copy: the map, the coordinates, the error, the bytes
// that the copy counted on its mbarrier, and then what is in shared memory, 16 bytes at a time: the index of the first
// element of such a piece, "~" for a piece of which only a part counts up, "0" for zeros, "." for a piece that was not
// written.

#include <cuda.h>
#include <cuda_runtime.h>

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

constexpr int shared_bytes = 16384, elements = 1 << 16;
constexpr uint16_t untouched = 0xeeee;

__device__ unsigned in_shared(const void* at) { return unsigned(__cvta_generic_to_shared(at)); }

template <int rank>
__device__ void load(const CUtensorMap& map, const int* at, void* to, uint64_t* barrier) {
  if constexpr (rank == 3)
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
            "r"(in_shared(to)),
        "l"(&map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(in_shared(barrier))
        : "memory");
  if constexpr (rank == 4)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], "
        "[%6];" ::"r"(in_shared(to)),
        "l"(&map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(in_shared(barrier))
        : "memory");
  if constexpr (rank == 5)
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, "
        "%6}], [%7];" ::"r"(in_shared(to)),
        "l"(&map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]), "r"(in_shared(barrier))
        : "memory");
}

struct Place {
  int at[5];
};

// Expects one byte more than a copy can bring, so that the phase stays open and what is missing tells what came.
template <int rank>
__global__ void copy(const __grid_constant__ CUtensorMap map, Place place, uint16_t* out, unsigned long long* state) {
  extern __shared__ __align__(1024) uint16_t box[];
  __shared__ alignas(8) uint64_t barrier;
  for (int i = threadIdx.x; i < shared_bytes / 2; i += blockDim.x) box[i] = untouched;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(in_shared(&barrier)), "r"(1 << 19)
                 : "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    load<rank>(map, place.at, box, &barrier);
    const long long begin = clock64();
    while (clock64() - begin < 2000000) {
    }
    *state = *reinterpret_cast<volatile uint64_t*>(&barrier);
  }
  __syncthreads();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  for (int i = threadIdx.x; i < shared_bytes / 2; i += blockDim.x) out[i] = box[i];
}

struct Case {
  int rank;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  cuuint64_t dim[5], stride[4];
  cuuint32_t box[5], step[5];
  Place place;
};

void show(const uint16_t* shared, const Case& one) {
  int last = -1;
  for (int piece = 0; piece < shared_bytes / 16; ++piece)
    if (shared[8 * piece] != untouched || shared[8 * piece + 7] != untouched) last = piece;
  for (int piece = 0; piece <= last; ++piece) {
    const uint16_t* at = shared + 8 * piece;
    bool counts = true, zero = true, gap = true;
    for (int i = 0; i < 8; ++i) {
      counts = counts && at[i] == uint16_t(at[0] + i);
      zero = zero && at[i] == 0;
      gap = gap && at[i] == untouched;
    }
    if (gap)
      std::printf(" .");
    else if (zero)
      std::printf(" 0");
    else
      std::printf(" %d%s", at[0], counts ? "" : "~");
  }
}

template <int rank>
cudaError_t run(const CUtensorMap& map, const Case& one, uint16_t* out, unsigned long long* state) {
  cudaFuncSetAttribute(copy<rank>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  copy<rank><<<1, 128, shared_bytes>>>(map, one.place, out, state);
  return cudaDeviceSynchronize();
}

int main(int argc, char** argv) {
  uint16_t *tensor = nullptr, *out = nullptr;
  unsigned long long* state = nullptr;
  cudaMalloc(&tensor, 2 * elements);
  cudaMallocManaged(&out, shared_bytes);
  cudaMallocManaged(&state, 8);
  std::vector<uint16_t> indices(elements);
  for (int i = 0; i < elements; ++i) indices[i] = uint16_t(i);
  cudaMemcpy(tensor, indices.data(), 2 * elements, cudaMemcpyHostToDevice);

  const auto none = CU_TENSOR_MAP_SWIZZLE_NONE;
  const auto of16 = CU_TENSOR_MAP_INTERLEAVE_16B, of32 = CU_TENSOR_MAP_INTERLEAVE_32B;
  std::vector<Case> cases;
  for (const auto interleave : {of16, of32}) {
    const cuuint32_t slice = interleave == of16 ? 8 : 16;  // channels
    const cuuint64_t pixel = 2 * slice;                    // bytes
    // Tensor of W × slices (× images): the extents of dimension 0 as channels in all, and as those of a slice.
    for (const cuuint64_t channels : {cuuint64_t{slice}, cuuint64_t{4 * slice}, cuuint64_t{3 * slice + 4}})
      for (const cuuint32_t box0 : {slice, 2 * slice})
        for (const int at0 : {0, int(slice), 2, -int(slice)})
          for (const int at1 : {0, 3, -1})
            for (const auto swizzle : {none, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B}) {
              if (swizzle != none && (at1 != 0 || at0 != 0)) continue;
              cases.push_back({3, interleave, swizzle, {channels, 10, 4}, {pixel, 10 * pixel}, {box0, 4, 2},
                               {1, 1, 1}, {{at0, at1, 1}}});
              cases.push_back({4, interleave, swizzle, {channels, 6, 5, 4}, {pixel, 6 * pixel, 30 * pixel},
                               {box0, 3, 2, 2}, {1, 1, 1, 1}, {{at0, at1, 1, 1}}});
              cases.push_back({5, interleave, swizzle, {channels, 5, 4, 3, 2},
                               {pixel, 5 * pixel, 20 * pixel, 60 * pixel}, {box0, 3, 2, 2, 1}, {1, 2, 1, 1, 1},
                               {{at0, at1, 1, 1, 1}}});
            }
  }
  for (std::size_t number = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0; number < cases.size(); ++number) {
    const Case& one = cases[number];
    CUtensorMap map;
    const CUresult made = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, one.rank, tensor, one.dim,
                                                 one.stride, one.box, one.step, one.interleave, one.swizzle,
                                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    std::printf("il=%d sw=%d rank=%d", int(one.interleave), int(one.swizzle), one.rank);
    for (int d = 0; d < one.rank; ++d)
      std::printf(" | dim %d box %d step %d at %d", int(one.dim[d]), int(one.box[d]), int(one.step[d]),
                  one.place.at[d]);
    std::printf(" | made %d", int(made));
    if (made == CUDA_SUCCESS) {
      *state = 0;
      const cudaError_t ran = one.rank == 3   ? run<3>(map, one, out, state)
                              : one.rank == 4 ? run<4>(map, one, out, state)
                                              : run<5>(map, one, out, state);
      std::printf(" ran %d object %llx:", int(ran), *state);
      if (ran != cudaSuccess) {
        std::printf(" %s\n", cudaGetErrorString(ran));
        std::fflush(stdout);
        // The context is lost, so another process goes on.
        return execl(argv[0], argv[0], std::to_string(number + 1).c_str(), nullptr);
      }
      show(out, one);
    }
    std::printf("\n");
  }
}
