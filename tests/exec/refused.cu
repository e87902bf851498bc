// A launch that the device refuses: refused [ask|more|three]. tests/unit/cli/exec_refused_test.cpp has the expected results.
#include <cstdio>
#include <cstring>

__global__ void deep(int* out) {
  out[threadIdx.x] = 1;
}

__global__ void tile(int* out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = out[threadIdx.x];
}

int main(int argc, char** argv) {
  int* memory = nullptr;
  cudaMalloc(&memory, 4096);
  const char* kind = argc > 1 ? argv[1] : "";
  deep<<<1, 2048>>>(memory);
  if (std::strcmp(kind, "ask") == 0) std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  if (std::strcmp(kind, "more") == 0) {
    deep<<<1, 2048>>>(memory);
    tile<<<1, 32, 60000>>>(memory);
    tile<<<0, 32>>>(memory);
    tile<<<1, 32, 128>>>(memory);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(memory);
  return std::strcmp(kind, "three") == 0 ? 3 : 0;
}
