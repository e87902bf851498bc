// A transpose that writes columns: each store of a warp touches 32 rows. `transpose_tiled.cu` is what it becomes.
#include <cstdio>
#include <vector>

__global__ void transpose(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    out[x * n + y + row] = in[(y + row) * n + x];
}

int main() {
  const int n = 256;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; ++i) host[i] = i;
  float *in, *out;
  cudaMalloc(&in, host.size() * sizeof(float));
  cudaMalloc(&out, host.size() * sizeof(float));
  cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n);
  cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n * n; ++i)
    if (host[i] != i % n * n + i / n) return std::printf("wrong at %d\n", i), 1;
  std::printf("transposed %d x %d\n", n, n);
}
