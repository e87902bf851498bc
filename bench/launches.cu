// The cost of a launch under `lanescope exec`: launches [MIB [LAUNCHES [BLOCKS]]], one warp per block, of a kernel that
// writes 128 bytes per block into an allocation of MIB mebibytes.
#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void write(int* out, int from) {
  out[from + blockIdx.x * 32 + threadIdx.x] = from;
}

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const size_t mebibytes = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 20000, blocks = argc > 3 ? std::atoi(argv[3]) : 1;
  int* memory = nullptr;
  if (cudaMalloc(&memory, mebibytes << 20) != cudaSuccess) return 1;
  write<<<blocks, 32>>>(memory, 0);
  const auto start = Clock::now();
  for (int i = 1; i < launches; ++i) write<<<blocks, 32>>>(memory, i);
  const auto end = Clock::now();
  int last = -1;
  if (cudaMemcpy(&last, memory + launches - 1, sizeof last, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  if (last != launches - 1) return 3;
  if (launches > 1)
    std::printf("%.1f us a launch\n", std::chrono::duration<double, std::micro>(end - start).count() / (launches - 1));
  return cudaFree(memory) == cudaSuccess ? 0 : 4;
}
