// The kernels of recording.cu in a separate program, to be run plain, under `ncu` and under `compute-sanitizer`: prints
// the wall time of one launch, including the wait for it, in µs (the median of several).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "recording.cu"

template <typename Launch>
void time(const char* name, int launches, Launch launch) {
  std::vector<double> microseconds;
  for (int i = 0; i < launches; ++i) {
    cudaDeviceSynchronize();
    const auto start = std::chrono::steady_clock::now();
    launch();
    cudaDeviceSynchronize();
    microseconds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(microseconds.begin(), microseconds.end());
  std::printf("%s %.1f\n", name, microseconds[microseconds.size() / 2]);
}

int main() {
  float *a, *b, *c;
  const int n = 4194304;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  time("copy", 11, [&] { copy<<<n / 256, 256>>>(a, b, n); });
  time("block_sums", 11, [&] { block_sums<<<4096, 256>>>(a, b); });
  time("matmul", 11, [&] { matmul<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, 256); });
}
