// Variables that no kernel uses: the host can read them. Prints their initial values.
#include <cstdio>

__device__ int plain[2] = {1, 2};
__constant__ int fixed[2] = {3, 4};
__managed__ int managed[2] = {5, 6};
__managed__ int empty[2];
__device__ int* pointer = plain;

__global__ void kernel() {}

int main() {
  int* const from_host = managed;
  int read[2];
  cudaMemcpyFromSymbol(read, plain, sizeof read);
  std::printf("%d %d\n", read[0], read[1]);
  cudaMemcpyFromSymbol(read, fixed, sizeof read);
  std::printf("%d %d\n", read[0], read[1]);
  std::printf("%d %d\n", from_host[0], managed[1]);
  empty[1] = 7;
  std::printf("%d %d\n", empty[0], empty[1]);
  void *points_to = nullptr, *at = nullptr;
  cudaMemcpyFromSymbol(&points_to, pointer, sizeof points_to);
  cudaGetSymbolAddress(&at, plain);
  std::printf("%d\n", points_to == at);
  kernel<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
