// Facts about shared memory: wavefronts and conflicts of one full warp. The first half of each
// kernel only fills the memory; it is conflict-free, so every conflict belongs to the line that reads.
#include <cstdint>

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.requests == 1
// expect: shared_load.bank_conflicts == 0
__global__ void word_stride_1(float* out) {
  __shared__ float words[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.bank_conflicts == 1
__global__ void word_stride_2(float* out) {
  __shared__ float words[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * 2];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.bank_conflicts == 0
__global__ void word_stride_3(float* out) {
  __shared__ float words[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * 3];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.bank_conflicts == 7
__global__ void word_stride_8(float* out) {
  __shared__ float words[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * 8];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.bank_conflicts == 31
__global__ void word_stride_32(float* out) {
  __shared__ float words[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * 32];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.bank_conflicts == 0
__global__ void padded_column(float* out) {
  __shared__ float words[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * 33];
}

// run: --grid 1 --block 32 --arg i32=5 --arg f32[32]
// expect: shared_load.bank_conflicts == 0
__global__ void broadcast(int which, float* out) {
  __shared__ float words[32];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[which];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_load.bank_conflicts == 1
__global__ void two_words_of_each_bank(float* out) {
  __shared__ float words[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x / 16 * 32 + threadIdx.x % 16];
}

// run: --grid 1 --block 32 --arg u8[32]
// expect: shared_load.bank_conflicts == 0
__global__ void four_bytes_share_a_word(std::uint8_t* out) {
  __shared__ std::uint8_t bytes[32];
  bytes[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = bytes[31 - threadIdx.x];
}

// run: --grid 1 --block 32 --arg f64[32]
// expect: shared_load.wavefronts == 2
// expect: shared_load.bank_conflicts == 0
__global__ void doubles(double* out) {
  __shared__ double values[64];
  values[threadIdx.x] = threadIdx.x;
  values[threadIdx.x + 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];
}

// run: --grid 1 --block 32 --arg f64[32]
// expect: shared_load.wavefronts == 4
// expect: shared_load.bank_conflicts == 2
__global__ void doubles_stride_2(double* out) {
  __shared__ double values[64];
  values[threadIdx.x] = threadIdx.x;
  values[threadIdx.x + 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x * 2];
}

// run: --grid 1 --block 32 --arg f32[128]
// expect: shared_load.wavefronts == 4
// expect: shared_load.bank_conflicts == 0
__global__ void float4_is_no_conflict(float4* out) {
  __shared__ float4 values[32];
  const float t = threadIdx.x;
  values[threadIdx.x] = make_float4(t, t, t, t);
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];
}

// run: --grid 1 --block 32 --arg f32[32]
// expect: shared_store.bank_conflicts == 15
__global__ void store_stride_16(float* out) {
  __shared__ float words[512];
  words[threadIdx.x * 16] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x / 32 * 16];
}
