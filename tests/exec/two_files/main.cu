// Separate compilation: nvcc -rdc=true other.cu main.cu.
#include "shared.cuh"

static __device__ int own = 7;

static __device__ __noinline__ int add_own(int x) {
  return own + x;
}

__global__ void run(int* to, int x) {
  printf("first: %d\n", add_own(x));
  *to = odd(x) + triple(x) + *pick(x) + 100 * other(x);
}

int main() {
  int* result;
  cudaMallocManaged(&result, sizeof *result);
  run<<<1, 1>>>(result, 1);
  std::printf("%s:", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d\n", *result);
  cudaFree(result);
  return 0;
}
