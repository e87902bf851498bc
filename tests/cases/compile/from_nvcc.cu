// kernel: scale<float, 4>
// kernel: project
// A whole program, as nvcc takes it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#define CHECK(call)                                                          \
  do {                                                                       \
    cudaError_t status = (call);                                             \
    if (status != cudaSuccess) {                                             \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(status));              \
      std::exit(1);                                                          \
    }                                                                        \
  } while (0)

static int verbose = 0;
const int TILE = 16;
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

struct Timer {
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }
};

struct Vector3 {
  float x, y, z;
  __host__ __device__ float dot(const Vector3& other) const { return x * other.x + y * other.y + z * other.z; }
};

template <typename T, int N>
__global__ void __launch_bounds__(256) scale(T* out, const T* in, int n) {
  __shared__ T tile[ceil_div(N, 2)];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % ceil_div(N, 2)] = N;
  __syncthreads();
  if (i < n) out[i] = in[i] * tile[0];
}

__global__ void project(float* out, Vector3 v) { out[threadIdx.x] = v.dot(v) + M_PI * TILE; }

template <typename T>
bool verify(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T value) { return value == 1; });
}

int main(int argc, char** argv) {
  Timer timer;
  float* device;
  CHECK(cudaMalloc(&device, 4096));
  scale<float, 4><<<4, 256>>>(device, device, 1024);
  project<<<1, 32>>>(device, Vector3{1, 2, 3});
  CHECK(cudaDeviceSynchronize());
  thrust::device_vector<float> sorted(1024);
  thrust::sort(sorted.begin(), sorted.end());
  std::vector<float> host(1024, 1.0f);
  if (!verify(host) || verbose) std::cout << "wrong\n";
  std::printf("%f s\n", timer.seconds());
  return 0;
}
