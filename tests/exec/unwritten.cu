// The first 64 elements of `in` are written. Three launches read it from other places on, and so one line reads elements
// that were never written in other threads each time.
#include <cstdio>

__global__ void twice(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

int main() {
  const float one = 1;
  float *in, *out, first = 0;
  cudaMalloc(&in, 512 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  for (int i = 0; i < 64; ++i) cudaMemcpy(in + i, &one, sizeof one, cudaMemcpyHostToDevice);
  for (int launch = 0; launch < 3; ++launch) twice<<<4, 64>>>(in + 16 * launch, out);
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%g\n", first);
  cudaFree(in);
  cudaFree(out);
}
