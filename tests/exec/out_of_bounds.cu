// The last of 65 threads writes past an allocation of 64 elements; the error is sticky.
#include <cstdio>

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  fill<<<1, 65>>>(out);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaMalloc(&out, 4)));
}
