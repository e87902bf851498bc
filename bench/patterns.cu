// Kernels whose accesses are unlike those of `lanescope bench`: tiles of 16 columns, arrays of a thread, shuffles. Each
// launch executes some million warp instructions; `exec` reports the interpreter's time for each.
//
//   lanescope exec bench/patterns.cu
#include <cstdio>

// Two rows of 16 columns in each warp: the lanes' addresses are not affine, and move by one element in each turn.
__global__ void product(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Bytes of a thread's own array at one index in all lanes.
__global__ void same_index(const unsigned char* in, unsigned* out, int turns) {
  unsigned char states[32];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 32; ++i) states[i] = in[(thread + i) % 64];
  unsigned sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const int i = in[turn % 64] % 32;
    sum = sum * 31 + states[i];
    states[i ^ 1] = static_cast<unsigned char>(sum);
  }
  out[thread] = sum;
}

// The same, at an index of each lane's own.
__global__ void own_index(const unsigned char* in, unsigned* out, int turns) {
  unsigned char states[32];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 32; ++i) states[i] = in[(thread + i) % 64];
  unsigned sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const int i = (sum + thread + turn) % 32;
    sum = sum * 31 + states[i];
    states[i ^ 1] = static_cast<unsigned char>(sum);
  }
  out[thread] = sum;
}

__global__ void shuffles(float* out, int turns) {
  float value = static_cast<float>(threadIdx.x);
  for (int turn = 0; turn < turns; ++turn)
    for (int distance = 16; distance > 0; distance /= 2) value = 0.5f * (value + __shfl_down_sync(~0u, value, distance));
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main() {
  constexpr int n = 256, threads = n * n, turns = 100;
  float *a, *b, *c;
  unsigned char* in;
  unsigned* out;
  cudaMallocManaged(&a, threads * sizeof(float));
  cudaMallocManaged(&b, threads * sizeof(float));
  cudaMallocManaged(&c, threads * sizeof(float));
  cudaMallocManaged(&in, 64);
  cudaMallocManaged(&out, threads * sizeof(unsigned));
  for (int i = 0; i < threads; ++i) a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
  for (int i = 0; i < 64; ++i) in[i] = static_cast<unsigned char>(i * 37);
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  same_index<<<threads / 256, 256>>>(in, out, turns);
  own_index<<<threads / 256, 256>>>(in, out, turns);
  cudaDeviceSynchronize();
  std::printf("%g %u\n", static_cast<double>(c[n + 1]), out[n + 1]);
  shuffles<<<threads / 256, 256>>>(c, turns);
  cudaDeviceSynchronize();
  std::printf("%g\n", static_cast<double>(c[n + 1]));
}
