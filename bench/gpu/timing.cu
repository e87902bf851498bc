// Kernels with known times between about 5 µs and 5 ms, to compare our timing with nvbench's (beside_nvbench.cu times
// the same kernels both ways) and with Nsight Compute's gpu__time_duration.

// Each thread multiplies and adds `steps` times, and each result depends on the last, so the time grows with steps, not
// with memory.
__global__ void dependent_chain(float* out, int steps) {
  float value = threadIdx.x;
  for (int i = 0; i < steps; ++i) value = value * 0.999f + 0.5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// n floats from one buffer to the other.
__global__ void copy(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// The product of square matrices in tiles of 16 × 16.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += tile_a[threadIdx.y][j] * tile_b[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
