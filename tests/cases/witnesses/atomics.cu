// Atomics of every width, and what is built from them.
#include <cuda_fp16.h>

// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[8]=0 --arg f32[4]=0 --arg f64[4]=0
__global__ void atomics_of_four_kinds(const int* in, int* whole, float* real, double* wide) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&whole[v % 4], v);
  atomicMax(&whole[4 + v % 4], v);
  atomicAdd(&real[v % 4], 1.0f);
  atomicAdd(&wide[v % 2], 0.5);
}

// run: --grid 2 --block 32 --arg f64[64]=iota --arg f64[1]=0
__global__ void maximum_by_compare_and_swap(const double* in, double* most) {
  auto* word = reinterpret_cast<unsigned long long*>(most);
  const double mine = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned long long seen = *word;
  while (__longlong_as_double(seen) < mine) {
    const unsigned long long before = atomicCAS(word, seen, __double_as_longlong(mine));
    if (before == seen) break;
    seen = before;
  }
}

// run: --grid 2 --block 64 --arg f16[8]=0
__global__ void pairs_of_halves(__half2* sums) { atomicAdd(&sums[threadIdx.x % 4], __floats2half2_rn(1, 2)); }

// run: --grid 2 --block 64 --arg u64[128]=iota --arg u64[4]=0
__global__ void atomics_of_64_bits(const unsigned long long* in, unsigned long long* out) {
  const unsigned long long v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&out[0], v);
  atomicMax(&out[1], v * 3);
  atomicOr(&out[2], 1ull << (v % 64));
  atomicXor(&out[3], v << 20);
}

// Each thread exchanges 16 bytes of its own, and swaps them again if it has an even index: the others expect another upper
// half.
// run: --grid 2 --block 64 --arg u64[256]=iota --arg u64[512]=0
__global__ void exchanges_of_128_bits(ulonglong2* cells, ulonglong2* old) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const unsigned long long low = i, high = 1000 + i, expected = high + i % 2;
  ulonglong2 first, second;
  asm volatile(
      "{ .reg .b128 a, b, c; mov.b128 a, {%2, %3}; atom.global.exch.b128 b, [%4], a; mov.b128 {%0, %1}, b; }"
      : "=l"(first.x), "=l"(first.y)
      : "l"(low), "l"(high), "l"(__cvta_generic_to_global(cells + i))
      : "memory");
  asm volatile(
      "{ .reg .b128 a, b, c; mov.b128 a, {%2, %3}; mov.b128 c, {%4, %5}; atom.global.cas.b128 b, [%6], a, c; "
      "mov.b128 {%0, %1}, b; }"
      : "=l"(second.x), "=l"(second.y)
      : "l"(low), "l"(expected), "l"(~low), "l"(~high), "l"(__cvta_generic_to_global(cells + i))
      : "memory");
  old[2 * i] = first;
  old[2 * i + 1] = second;
}

// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[32]=0
__global__ void every_lane_its_own_word(const int* in, int* out) { atomicAdd(&out[threadIdx.x % 32], in[blockIdx.x * 64 + threadIdx.x]); }

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void exchange_in_shared(const int* in, int* out) {
  __shared__ int box[8];
  if (threadIdx.x < 8) box[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&box[threadIdx.x % 8], in[threadIdx.x]);
  atomicMin(&box[threadIdx.x % 8], 1000);
  __syncthreads();
  out[threadIdx.x] = box[threadIdx.x % 8];
}

// The last block to arrive adds the other blocks' sums.
// run: --grid 4 --block 64 --arg i32[256]=iota --arg i32[4]=0 --arg u32[1]=0 --arg i32[1]=0
__global__ void last_block_adds_up(const int* in, int* partial, unsigned* arrived, int* sum) {
  __shared__ bool last;
  int v = in[blockIdx.x * 64 + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&partial[blockIdx.x], v);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x > 0) return;
  int all = 0;
  for (int i = 0; i < 4; ++i) all += *static_cast<volatile int*>(&partial[i]);
  *sum = all;
}

// A scan across blocks: each waits for the sum of those before it.
// run: --grid 6 --block 64 --arg i32[384]=iota --arg i32[384]=0 --arg u64[6]=0
__global__ void look_back(const int* in, int* out, unsigned long long* state) {
  __shared__ int sums[2], before;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = in[blockIdx.x * 64 + threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    const int up = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += up;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    const int own = sums[0] + sums[1];
    int sum = 0;
    if (blockIdx.x > 0) {
      unsigned long long seen;
      do seen = *static_cast<volatile unsigned long long*>(&state[blockIdx.x - 1]);
      while (seen == 0);
      sum = static_cast<int>(seen >> 1);
    }
    before = sum;
    atomicExch(&state[blockIdx.x], static_cast<unsigned long long>(sum + own) << 1 | 1);
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = v + before + (warp ? sums[0] : 0);
}
