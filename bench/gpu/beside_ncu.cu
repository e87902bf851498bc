// The kernels of plain_kernels.cu a few times each, for Nsight Compute to time:
//   nvcc -O3 -arch=sm_90 bench/gpu/beside_ncu.cu -o beside_ncu
//   ncu --cache-control all --clock-control none --metrics gpu__time_duration.sum --csv ./beside_ncu
#include <cstdio>
#include <string>

#include "plain_cases.h"
#include "plain_kernels.cu"

int main() {
  constexpr int rounds = 15;
  float *a = nullptr, *b = nullptr;
  int* from = nullptr;
  for (const PlainCase& one : plain_cases) {
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(one.n);
    cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&from, bytes);
    cudaMemset(a, 0, bytes), cudaMemset(b, 0, bytes);
    cudaMemcpy(from, gathered_from(one.n).data(), bytes, cudaMemcpyHostToDevice);
    const std::string kernel = one.kernel;
    for (int i = 0; i < rounds; ++i) {
      if (kernel == "empty") empty<<<1, 32>>>();
      if (kernel == "axpy") axpy<<<plain_blocks(one), plain_threads>>>(a, b, 2, one.n);
      if (kernel == "fill") fill<<<plain_blocks(one), plain_threads>>>(a, 1, one.n);
      if (kernel == "gather") gather<<<plain_blocks(one), plain_threads>>>(a, from, b, one.n);
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return std::printf("%s failed\n", one.kernel), 1;
    cudaFree(a), cudaFree(b), cudaFree(from);
  }
}
