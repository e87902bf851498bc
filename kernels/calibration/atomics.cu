// Facts about atomics: what 32 lanes cost on one address and on many.
#include <cuda_fp16.h>

// run: --grid 1 --block 32 --arg i32[1]=0
// expect: global_reduction.requests == 1
// expect: global_reduction.sectors == 1
// expect: global_atomic.requests == 0
__global__ void one_address(int* sum) { atomicAdd(sum, 1); }

// run: --grid 1 --block 32 --arg i32[32]=0
// expect: global_reduction.requests == 1
// expect: global_reduction.sectors == 4
__global__ void own_address(int* sums) { atomicAdd(&sums[threadIdx.x], 1); }

// run: --grid 1 --block 32 --arg i32[1]=0 --arg i32[32]
// expect: global_atomic.requests == 1
// expect: global_reduction.requests == 0
__global__ void result_used(int* sum, int* order) { order[threadIdx.x] = atomicAdd(sum, 1 + threadIdx.x); }

// run: --grid 1 --block 32 --arg f32[4]=0
// expect: global_reduction.requests == 1
// expect: global_reduction.sectors == 1
__global__ void four_floats(float* sums) { atomicAdd(&sums[threadIdx.x % 4], 1.0f); }

// run: --grid 1 --block 32 --arg f16[64]=0
// expect: global_atomic.requests == 1
// expect: global_atomic.sectors == 4
__global__ void half2_neighbours(__half2* sums) {
  atomicAdd(&sums[threadIdx.x], __floats2half2_rn(1.0f, 1.0f));
}

// run: --grid 1 --block 32 --arg i32[32]
// expect: shared_atomic.requests == 1
__global__ void shared_own_address(int* out) {
  __shared__ int sums[32];
  sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[31 - threadIdx.x], 1);
  __syncthreads();
  out[threadIdx.x] = sums[threadIdx.x];
}

// An exchange whose result nobody uses is no reduction: the hardware has none.
// run: --grid 1 --block 32 --arg u32[32]=0
// expect: global_atomic.requests == 1
// expect: global_reduction.requests == 0
__global__ void exchange_unused(unsigned* out) { atomicExch(&out[threadIdx.x], threadIdx.x); }
