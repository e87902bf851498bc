// Lanes that exchange values, wait for each other, or exit.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[128]=0
__global__ void shuffle_in_half_a_warp(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  if (threadIdx.x % 32 < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffu, v, d, 16);
  } else {
    v = __shfl_xor_sync(0xffff0000u, v, 3);
  }
  out[i] = v;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void syncwarp_in_two_parts(const int* in, int* out) {
  __shared__ int line[64];
  const int t = threadIdx.x, lane = t % 32;
  line[t] = in[t];
  if (lane < 16) {
    __syncwarp(0xffffu);
    line[t] += line[t ^ 1];
    __syncwarp(0xffffu);
  } else {
    __syncwarp(0xffff0000u);
    line[t] -= line[t ^ 3];
    __syncwarp(0xffff0000u);
  }
  __syncwarp();
  out[t] = line[t ^ 16];
}

// run: --grid 2 --block 48 --arg i32[96]=iota --arg i32[96]=0
__global__ void half_returns_early(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = in[i];
  if (v % 2 == 1) return;
  const unsigned there = __activemask();
  out[i] = v + __popc(there);
}

// run: --grid 2 --block 64 --arg i32[128]=iota --arg u32[128]=0
__global__ void match_equal_keys(const int* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __popc(__match_any_sync(0xffffffffu, in[i] % 5));
}

// run: --grid 2 --block 64 --arg u32[128]=iota --arg u32[8]=0
__global__ void reduce_in_one_instruction(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned sum = __reduce_add_sync(0xffffffffu, in[i]), most = __reduce_max_sync(0xffffffffu, in[i] % 29);
  if (threadIdx.x % 32 == 0) out[2 * (i / 32)] = sum, out[2 * (i / 32) + 1] = most;
}

// Each block keeps the values for which a condition is true, in order.
// run: --grid 2 --block 32 --arg i32[64]=iota --arg i32[64]=0
__global__ void ballot_compaction(const int* in, int* out) {
  const int v = in[blockIdx.x * 32 + threadIdx.x];
  const bool keep = v * 7 % 3 != 1;
  const unsigned kept = __ballot_sync(0xffffffffu, keep);
  if (keep) out[blockIdx.x * 32 + __popc(kept & ((1u << threadIdx.x) - 1))] = v;
}

// One atomic for those lanes of a warp that want one.
// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[1]=0 --arg i32[128]=0
__global__ void aggregated_atomic(const int* in, int* count, int* mine) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 3 != 0) return;
  const unsigned there = __activemask();
  const int lane = threadIdx.x % 32;
  if (lane == __ffs(there) - 1) atomicAdd(count, __popc(there));
  mine[i] = __popc(there & ((1u << lane) - 1));
}

// A product of 8 x 8 matrices without tensor cores: each lane holds two elements, which others read.
// run: --grid 1 --block 32 --arg f32[64]=iota --arg f32[64]=iota --arg f32[64]=0
__global__ void product_by_shuffles(const float* a, const float* b, float* c) {
  const int lane = threadIdx.x;
  const float a0 = a[lane], a1 = a[lane + 32], b0 = b[lane], b1 = b[lane + 32];
  float sum0 = 0, sum1 = 0;
  for (int k = 0; k < 8; ++k) {
    const int row = lane / 8 * 8 + k, column = k * 8 + lane % 8;
    const float left0 = __shfl_sync(0xffffffffu, a0, row), left1 = __shfl_sync(0xffffffffu, a1, row);
    const float low = __shfl_sync(0xffffffffu, b0, column & 31), high = __shfl_sync(0xffffffffu, b1, column & 31);
    const float right = column < 32 ? low : high;
    sum0 += left0 * right;
    sum1 += left1 * right;
  }
  c[lane] = sum0;
  c[lane + 32] = sum1;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void rests_a_while(const int* in, int* out) {
  if (threadIdx.x % 2) __nanosleep(20);
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

// run: --grid 2 --block 40 --arg i32[80]=iota --arg i32[4]=0
__global__ void vote_over_a_partial_warp(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned there = threadIdx.x < 32 ? 0xffffffffu : 0xffu;
  const bool all = __all_sync(there, in[i] < 77), any = __any_sync(there, in[i] == 3);
  if (threadIdx.x % 32 == 0) out[2 * blockIdx.x + threadIdx.x / 32] = all + 2 * any;
}

// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void tiles_of_eight(const int* in, int* out) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int v = in[threadIdx.x];
  for (int d = 1; d < 8; d *= 2) {
    const int up = tile.shfl_up(v, d);
    if (tile.thread_rank() >= d) v += up;
  }
  out[threadIdx.x] = v;
}

// Each half of a warp names its own lanes, in the same instruction.
// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[128]=0
__global__ void halves_by_mask(const int* in, int* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const unsigned mask = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
  const int v = in[i] * 7 % 23;
  int result = __reduce_max_sync(mask, v) + 100 * __popc(__ballot_sync(mask, v > 9));
  result += 10000 * __any_sync(mask, v == 22) + 20000 * __all_sync(mask, v < 22);
  result += 100000 * __popc(__match_any_sync(mask, v % 5));
  __syncwarp(mask);
  out[i] = result + 10000000 * (__shfl_xor_sync(mask, v, 3) % 8);
}

// Groups of equal labels, of different sizes; label 4 has its own branch.
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void groups_by_label(const int* in, int* out) {
  const int i = threadIdx.x, label = in[i] * in[i] % 7;
  const unsigned mask = __match_any_sync(0xffffffffu, label);
  int result = __reduce_add_sync(mask, i);
  if (label == 4) result += 1000 * __popc(__ballot_sync(mask, i % 3 == 0));
  else result += 10000 * __popc(__ballot_sync(mask, i % 2 == 0));
  out[i] = result;
}

// A barrier waits for the threads that have not exited.
// run: --grid 2 --block 96 --arg i32[80]=iota --arg i32[80]=0 --arg i32=40
__global__ void returns_before_barriers(const int* in, int* out, int n) {
  __shared__ int tile[96];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = in[blockIdx.x * n + t];
  __syncthreads();
  const int v = tile[n - 1 - t];
  out[blockIdx.x * n + t] = v + 1000 * __syncthreads_count(v % 3 == 0);
}

// The same, with work before they return: the compiler joins their stores with the store after the barrier.
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0 --arg i32=64
__global__ void works_before_it_returns(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  switch (in[t] % 8) {
    case 0: out[t] = 1; return;
    case 1: out[t] = 2; return;
    default: break;
  }
  tile[t] = in[t];
  __syncthreads();
  out[t] = (n - 1 - t) % 8 > 1 ? tile[n - 1 - t] : -1;
}

__device__ __noinline__ void reverse_first(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[n - 1 - t];
}
// They return from a function that is not inlined, after which nothing is left to do.
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0 --arg i32=40
__global__ void returns_from_a_function(const int* in, int* out, int n) { reverse_first(in, out, n); }

// Tiles of two warps synchronise in shared memory that the system reserves; the block's own memory begins at its usual address.
// run: --grid 1 --block 256 --shared 1024 --arg i32[256]=iota --arg i32[256]=0
__global__ void tiles_of_two_warps(const int* in, int* out) {
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<256> memory;
  extern __shared__ int mine[];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  mine[threadIdx.x] = in[threadIdx.x] % 10;
  tile.sync();
  const int v = mine[64 * tile.meta_group_rank() + 63 - tile.thread_rank()];
  int sum = cg::reduce(tile, v, cg::plus<int>()) + 1000 * tile.shfl(v, 40);
  if (tile.any(v + threadIdx.x == 255)) sum += 100000;
  out[threadIdx.x] = sum + mine[threadIdx.x];
}

// run: --grid 4 --block 64 --cooperative --arg i32[256]=iota --arg i32[256]=0 --arg i32[256]=0
__global__ void grid_sync_twice(const int* in, int* work, int* out) {
  const auto grid = cooperative_groups::this_grid();
  const int i = grid.thread_rank(), n = grid.size();
  work[i] = in[i] + 1;
  grid.sync();
  out[i] = work[n - 1 - i];
  grid.sync();
  work[i] = out[(i + 65) % n];
}
