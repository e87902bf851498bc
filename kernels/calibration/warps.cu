// Facts about warps: who is active, how a block is cut into warps, what diverges.

// run: --grid 1 --block 48 --arg f32[48]=iota --arg f32[48]
// expect: global_load.requests == 2
// expect: global_load.sectors == 6
// expect: divergent_branches == 0
__global__ void partial_last_warp(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

// run: --grid 1 --block 16,2 --arg f32[64]=iota --arg f32[64]
// expect: global_load.requests == 1
// expect: global_load.sectors == 4
__global__ void two_dimensions(const float* in, float* out) {
  const int i = threadIdx.y * 32 + threadIdx.x;
  out[i] = in[i];
}

// run: --grid 1 --block 4,4,4 --arg f32[64]=iota --arg f32[64]
// expect: global_load.requests == 2
// expect: global_load.sectors == 8
__global__ void three_dimensions(const float* in, float* out) {
  const int i = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
  out[i] = in[i];
}

// run: --grid 3,2 --block 8,8 --arg f32[384]=iota --arg f32[384]
// expect: global_load.requests == 12
__global__ void two_dimensional_grid(const float* in, float* out) {
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int i = block * 64 + threadIdx.y * 8 + threadIdx.x;
  out[i] = in[i];
}

// run: --grid 1 --block 64 --arg i32[2]=0
// expect: divergent_branches == 2
// expect: global_reduction.requests == 4
__global__ void if_else(int* counts) {
  if (threadIdx.x % 2 == 0) {
    atomicAdd(&counts[0], 1);
  } else {
    atomicMax(&counts[1], 1);
  }
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]
// expect: divergent_branches == 0
__global__ void whole_warps_part(const int* in, int* out) {
  const int i = threadIdx.x;
  if (i < 32) {
    out[i] = in[i] * 2;
  } else {
    out[i] = in[63 - (i - 32)] + 1;
  }
}

// run: --grid 1 --block 32 --arg i32[32]=iota --arg i32[32]
// expect: global_load.requests == 32
__global__ void loop_left_at_different_times(const int* in, int* out) {
  const volatile int* steps = in;
  int sum = 0;
  for (int k = 0; k < steps[threadIdx.x]; ++k) sum += k;
  out[threadIdx.x] = sum;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]
// expect: global_store.requests == 2
__global__ void early_return(const int* in, int* out) {
  if (in[threadIdx.x] % 4 == 3) return;
  out[threadIdx.x] = 1;
}

// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]
// expect: shuffles == 5
// expect: shared_load.requests == 0
__global__ void shuffle_tree(const float* in, float* out) {
  float sum = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  out[threadIdx.x] = sum;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[2]
// expect: votes == 2
__global__ void odd_ballot(const int* in, int* out) {
  const unsigned odd = __ballot_sync(0xffffffff, in[threadIdx.x] & 1);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = __popc(odd);
}

// run: --grid 1 --block 96 --arg i32[96]
// expect: barriers == 6
__global__ void two_barriers(int* out) {
  __shared__ int words[96];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = words[95 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = other;
}
