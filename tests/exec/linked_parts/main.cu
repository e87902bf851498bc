// A program that was linked from two parts; with an argument it launches the kernel of the other one.
#include <cstdio>

__global__ void here(int* p) { *p = 7; }
__global__ void elsewhere(int* p);

int main(int count, char**) {
  int *p, got = 0;
  cudaMalloc(&p, sizeof(int));
  here<<<1, 1>>>(p);
  if (count > 1) elsewhere<<<1, 1>>>(p);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(&got, p, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", got);
  cudaFree(p);
}
