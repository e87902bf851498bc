// The kernels of timing.cu as a shared library that one process times in two ways (beside_nvbench.cu). Each case has
// its own launch and its own buffers, so both ways launch the same function on the same memory.
#include <cstdint>
#include <cstdio>

#include "timing.cu"

namespace {

struct Case {
  const char* kernel;
  int size;
  int blocks, threads;
  std::size_t floats;  // a buffer
};
// Chains: the longer they are, the fewer threads, as in earlier comparisons.
constexpr Case cases[] = {
    {"dependent_chain", 512, 132, 128, 132 * 128},      {"copy", 1 << 20, 4096, 256, 1 << 20},
    {"dependent_chain", 4096, 132, 128, 132 * 128},     {"matmul", 256, 16, 16, 256 * 256},
    {"copy", 1 << 22, 16384, 256, 1 << 22},             {"matmul", 512, 32, 16, 512 * 512},
    {"copy", 1 << 24, 65536, 256, 1 << 24},             {"dependent_chain", 32768, 132, 128, 132 * 128},
    {"dependent_chain", 262144, 8, 128, 8 * 128},       {"dependent_chain", 2097152, 1, 32, 32},
};
const Case* chosen = nullptr;
float* buffers[3] = {};

}  // namespace

// Prepares a case and names it; returns false if there are no more.
extern "C" bool timed_case(int number, char* name, std::size_t bytes) {
  if (number >= static_cast<int>(sizeof cases / sizeof *cases)) return false;
  chosen = cases + number;
  std::snprintf(name, bytes, "%s, %d", chosen->kernel, chosen->size);
  for (float*& buffer : buffers) {
    cudaFree(buffer);
    if (cudaMalloc(&buffer, chosen->floats * sizeof(float)) != cudaSuccess) return false;
    cudaMemset(buffer, 0, chosen->floats * sizeof(float));
  }
  return cudaDeviceSynchronize() == cudaSuccess;
}

extern "C" int timed_launch(void* on) {
  const auto stream = static_cast<cudaStream_t>(on);
  const Case& one = *chosen;
  switch (one.kernel[0]) {
    case 'd': dependent_chain<<<one.blocks, one.threads, 0, stream>>>(buffers[0], one.size); break;
    case 'c': copy<<<one.blocks, one.threads, 0, stream>>>(buffers[0], buffers[1], one.size); break;
    case 'm': matmul<<<dim3(one.blocks, one.blocks), dim3(16, 16), 0, stream>>>(buffers[0], buffers[1], buffers[2], one.size); break;
  }
  return cudaGetLastError();
}

// What engine/gpu times (gpu/library.h).
extern "C" int lanescope_library_run(void* scratch, std::size_t* scratch_bytes, const void*, void*, std::uint64_t, void* stream) {
  *scratch_bytes = 1;
  return scratch ? timed_launch(stream) : 0;
}
extern "C" const char* lanescope_library_name() { return "timed kernels"; }
