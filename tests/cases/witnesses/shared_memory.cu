// Shared memory as people use it.
#include <cuda_pipeline.h>

// run: --grid 2,2 --block 32,8 --arg f32[4096]=iota --arg f32[4096]=0
__global__ void transpose_padded(const float* in, float* out) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * 64 + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[(blockIdx.x * 32 + threadIdx.y + j) * 64 + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
}

// run: --grid 2,1 --block 16,16 --arg f32[512]=iota --arg f32[512]=0
__global__ void transpose_16(const float* in, float* out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + blockIdx.x * 16 + threadIdx.x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// run: --grid 2 --block 64 --shared 768 --arg f32[128]=iota --arg f32[128]=0
__global__ void dynamic_of_two_types(const float* in, float* out) {
  extern __shared__ float values[];
  double* wide = reinterpret_cast<double*>(values + 64);
  const int t = threadIdx.x;
  values[t] = in[blockIdx.x * 64 + t];
  wide[t] = 0.5 * in[blockIdx.x * 64 + t];
  __syncthreads();
  out[blockIdx.x * 64 + t] = values[63 - t] + static_cast<float>(wide[t ^ 1]);
}

// Two alternating buffers.
// run: --grid 2 --block 64 --arg f32[1024]=iota --arg f32[128]=0
__global__ void async_pipeline(const float* in, float* out) {
  __shared__ float4 tile[2][16];
  const float4* mine = reinterpret_cast<const float4*>(in) + blockIdx.x * 128;
  float sum = 0;
  if (threadIdx.x < 16) __pipeline_memcpy_async(&tile[0][threadIdx.x], mine + threadIdx.x, 16);
  __pipeline_commit();
  for (int step = 0; step < 8; ++step) {
    if (step < 7 && threadIdx.x < 16) __pipeline_memcpy_async(&tile[(step + 1) % 2][threadIdx.x], mine + (step + 1) * 16 + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += reinterpret_cast<const float*>(tile[step % 2])[threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// run: --grid 3 --block 96 --arg u8[1000]=iota --arg u32[16]=0 --arg i32=1000
__global__ void private_histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// run: --grid 2 --block 128 --arg i32[256]=iota --arg i32[256]=0
__global__ void hillis_steele(const int* in, int* out) {
  __shared__ int line[2][128];
  const int t = threadIdx.x;
  int from = 0;
  line[0][t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    line[1 - from][t] = line[from][t] + (t >= step ? line[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = line[from][t];
}

// run: --grid 1 --block 64 --arg f64[64]=iota --arg f64[64]=0
__global__ void doubles_at_stride_two(const double* in, double* out) {
  __shared__ double line[128];
  line[2 * threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = line[2 * (63 - threadIdx.x)];
}

// run: --grid 1 --block 64 --arg u8[64]=iota --arg u8[64]=0
__global__ void bytes_in_one_word(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char line[64];
  line[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = line[threadIdx.x ^ 5];
}

// run: --grid 2 --block 64 --arg f32[512]=iota --arg f32[512]=0
__global__ void float4_in_shared(const float4* in, float4* out) {
  __shared__ float4 line[64];
  const int t = threadIdx.x;
  line[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  const float4 a = line[63 - t];
  out[blockIdx.x * 64 + t] = make_float4(a.w, a.z, a.y, line[t].x);
}

// run: --grid 2,2 --block 8,8 --arg f32[256]=iota --arg f32[256]=1 --arg f32[256]=0
__global__ void tiled_product(const float* a, const float* b, float* c) {
  __shared__ float own_a[8][8], own_b[8][9];
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; k += 8) {
    own_a[threadIdx.y][threadIdx.x] = a[row * 16 + k + threadIdx.x];
    own_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 16 + column];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 8; ++j) sum += own_a[threadIdx.y][j] * own_b[j][threadIdx.x];
    __syncthreads();
  }
  c[row * 16 + column] = sum;
}
