// Twice y = a x + y over 1,000 elements, in blocks of 256: the last warp has 8 lanes with work.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; ++i) x[i] = i;
  float *device_x, *device_y;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int times = 0; times < 2; ++times) saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, device_x, device_y);
  cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (y[i] != 4.0f * i + 1.0f) return std::printf("wrong at %d\n", i), 5;
  std::printf("right, %s\n", cudaGetErrorName(cudaGetLastError()));
  return 7;
}
