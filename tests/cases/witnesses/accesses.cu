// Realistic memory accesses: one shape per kernel, none from a lesson or the calibration.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// run: --grid 7 --block 96 --arg f32[5000]=iota --arg f32[5000]=1 --arg i32=4999
__global__ void grid_stride(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] += 2 * in[i];
}

// run: --grid 5 --block 64 --arg f32[1203]=iota --arg f32[1203]=0 --arg i32=1203
__global__ void float4_with_a_tail(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    float4 v = reinterpret_cast<const float4*>(in)[i];
    v.x += 1, v.y += 2, v.z += 3, v.w += 4;
    reinterpret_cast<float4*>(out)[i] = v;
  } else {
    for (int j = 4 * i; j < n; ++j) out[j] = in[j] - 1;
  }
}

// run: --grid 3 --block 80 --arg f16[480]=1.5 --arg f16[480]=0
__global__ void half2_scaled(const __half2* in, __half2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __hmul2(in[i], __float2half2_rn(2));
}

// run: --grid 2 --block 64 --arg u32[128]=0x40003f80 --arg f32[256]=0
__global__ void bfloat_pairs(const __nv_bfloat162* in, float2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __bfloat1622float2(in[i]);
}

union Widths {
  uint4 whole;
  unsigned short halves[8];
  unsigned char bytes[16];
};
// run: --grid 2 --block 48 --arg u32[384]=iota --arg i32[96]=0
__global__ void union_of_widths(const Widths* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].bytes[4] + in[i].halves[i % 8];
}

struct Particle {
  float x, y, z;
  int id;
};
// run: --grid 3 --block 64 --arg f32[768]=iota --arg f32[192]=0
__global__ void array_of_structs(const Particle* particles, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = particles[i].x + particles[i].z;
}
struct Packed {
  float x, y, z;
};
// run: --grid 2 --block 64 --arg f32[384]=iota --arg f32[384]=0
__global__ void array_of_three(const Packed* in, Packed* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = {in[i].z, in[i].x, in[i].y};
}
struct Columns {
  const float *x, *y;
  float* sum;
};
// run: --grid 1 --block 64 --arg f32[128]=iota --arg f32[64]=0
__global__ void struct_of_arrays(const float* both, float* sum) {
  const Columns columns{both, both + 64, sum};
  const int i = threadIdx.x;
  columns.sum[i] = columns.x[i] * columns.y[i];
}

// run: --grid 2 --block 100 --arg u8[256]=iota --arg i16[256]=0
__global__ void bytes_to_shorts(const unsigned char* in, short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<short>(in[i] * 3);
}

// run: --grid 1 --block 40 --arg u8[200]=iota --arg u32[40]=0
__global__ void words_at_odd_bytes(const unsigned char* in, unsigned* out) {
  const unsigned char* at = in + 1 + 4 * threadIdx.x;
  out[threadIdx.x] = at[0] | at[1] << 8 | at[2] << 16 | unsigned(at[3]) << 24;
}

// run: --grid 2 --block 64 --arg f64[130]=iota --arg f64[128]=0
__global__ void shifted_doubles(const double* in, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1] + in[i + 2];
}

__constant__ int table[64] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void constant_by_lane(const int* in, int* out) { out[threadIdx.x] = table[in[threadIdx.x] % 10] + table[3]; }

// run: --grid 2 --block 64 --arg f32[256]=iota --arg f32[128]=0
__global__ void cache_hints(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = __ldg(in + i), b = __ldcg(in + i + 64), c = __ldcs(in + 2 * i % 256);
  const float d = *static_cast<const volatile float*>(in + 255 - i);
  __stcg(out + i, a + b + c + d);
}

// run: --grid 3 --block 70 --arg i32[199]=iota --arg i32[199]=0 --arg i32[199]=0 --arg i32=199
__global__ void two_guards(const int* in, int* even, int* odd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 0) even[i] = in[i] + 1;
  if (i < n && i % 2 == 1) odd[i] = in[i] - 1;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void local_array_by_index(const int* in, int* out) {
  int held[8];
  for (int j = 0; j < 8; ++j) held[j] = in[(threadIdx.x + j) % 64];
  for (int j = 0; j < 3; ++j) held[in[threadIdx.x] % 8] += held[(in[threadIdx.x] + j) % 8];
  out[threadIdx.x] = held[in[threadIdx.x] % 8];
}

// run: --grid 2,2,2 --block 5,3,3 --arg i32[360]=iota --arg i32[360]=0
__global__ void three_dimensional_blocks(const int* in, int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int i = block * 45 + (threadIdx.z * 3 + threadIdx.y) * 5 + threadIdx.x;
  out[i] = in[359 - i] + threadIdx.z;
}

// A stencil with clamped borders.
// run: --grid 2 --block 72 --arg f32[130]=iota --arg f32[130]=0 --arg i32=130
__global__ void clamped_stencil(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = in[max(i - 1, 0)], right = in[min(i + 1, n - 1)];
  out[i] = left + 2 * in[i] + right;
}

// Rows of a sparse matrix, one per thread: row i holds i % 5 values.
// run: --grid 2 --block 64 --arg i32[129]=0 --arg f32[512]=iota --arg f32[128]=0
__global__ void sparse_rows(int* begins, const float* values, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int begin = i / 5 * 10 + (i % 5) * (i % 5 - 1) / 2, end = begin + i % 5;
  float sum = 0;
  for (int k = begin; k < end; ++k) sum += values[k] * values[k * 7 % 512];
  out[i] = sum;
  if (begins[i] != 0) out[i] = -1;
}

// A thread of a full block can have 64 registers. The recording kernel would take more.
// run: --grid 2 --block 1024 --arg i32[65536]=random:1 --arg i32[2048]=0
__global__ void full_block_with_many_registers(const int* in, int* out) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  unsigned kept[32], sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) kept[k] = in[(i * 32 + k * k) & 65535];
#pragma unroll
  for (int k = 0; k < 32; ++k) sum = sum * 3 + kept[31 - k] * kept[k * 7 & 31];
  out[i] = sum;
}
