// Litmus kernels within one warp: its lanes are threads like any other.

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void lanes_without_sync(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  out[t] = tile[31 - t];
}

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: safe
__global__ void lanes_with_sync(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncwarp();
  out[t] = tile[31 - t];
}

// __syncwarp orders one warp, not two.
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: read_write __syncthreads()
__global__ void sync_of_one_warp_is_not_enough(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = t;
  __syncwarp();
  out[t] = tile[63 - t];
}

// Only the members of the mask are ordered.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void members_only(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t < 16) __syncwarp(0xffff);
  else __syncwarp(0xffff0000);
  out[t] = tile[31 - t];
}

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: safe
__global__ void members_among_themselves(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t < 16) __syncwarp(0xffff);
  else __syncwarp(0xffff0000);
  out[t] = tile[t ^ 7];
}

// A shuffle makes lanes wait for each other, but does not order memory.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void a_shuffle_orders_no_memory(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  const int other = __shfl_xor_sync(0xffffffffu, t, 31);
  out[t] = tile[other];
}

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: safe
__global__ void shuffles_need_no_memory(int* out) {
  int sum = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  out[threadIdx.x] = sum;
}

// The old style: the last warp without barriers, assuming that its lanes run in lockstep.
// run: --grid 1 --block 32 --arg f32[1]=0 --arg f32[64]=iota
// verdict: read_write __syncwarp()
__global__ void last_warp_in_step(float* out, const float* in) {
  __shared__ float partial[64];
  const int t = threadIdx.x;
  partial[t] = in[t];
  partial[t + 32] = in[t + 32];
  partial[t] += partial[t + 32];
  if (t < 16) partial[t] += partial[t + 16];
  if (t < 8) partial[t] += partial[t + 8];
  if (t == 0) *out = partial[0];
}

// run: --grid 1 --block 32 --arg f32[1]=0 --arg f32[64]=iota
// verdict: safe
__global__ void last_warp_step_by_step(float* out, const float* in) {
  __shared__ float partial[64];
  const int t = threadIdx.x;
  partial[t] = in[t];
  partial[t + 32] = in[t + 32];
  for (int step = 32; step >= 8; step /= 2) {
    __syncwarp();
    if (t < step) partial[t] += partial[t + step];
  }
  __syncwarp();
  if (t == 0) *out = partial[0];
}

// Two sides of one branch: their order is undefined.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void two_ways(int* out) {
  __shared__ int one;
  const int t = threadIdx.x;
  if (t == 0) one = 1;
  __syncwarp();
  if (t < 16) one = 2;
  else out[t] = one;
}

// Each half of the warp synchronises separately: there is order within a half, but not between them.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: safe
__global__ void halves_meet_apart(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
  out[t] = tile[t ^ 15];
}

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void halves_read_each_other(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
  out[t] = tile[t ^ 16];
}

// Each lane reads what it has written; that the others of its warp have written the same changes nothing.
// run: --grid 1 --block 32 --arg i32[8]=0 --arg i32[32]=0 --arg i32=1
// verdict: safe
__global__ void each_lane_writes_all(int* shared_by_all, int* out, int turn) {
  for (int k = 0; k < 8; ++k) shared_by_all[k] = 3 * k;
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += shared_by_all[k ^ turn];
  out[threadIdx.x] = sum;
}

// Half of the warp reads what the other half has written.
// run: --grid 1 --block 32 --arg i32[8]=0 --arg i32[32]=0 --arg i32=1
// verdict: read_write __syncwarp()
__global__ void half_of_the_lanes_writes(int* shared_by_all, int* out, int turn) {
  if (threadIdx.x < 16)
    for (int k = 0; k < 8; ++k) shared_by_all[k] = 3 * k;
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += shared_by_all[k ^ turn];
  out[threadIdx.x] = sum;
}

// The lanes write different values, one after the other, to one element.
// run: --grid 1 --block 32 --arg i32[40]=0 --arg i32[32]=0 --arg i32=3
// verdict: write_write __syncwarp()
__global__ void the_lanes_write_one_after_the_other(int* elements, int* out, int last) {
  for (int k = 0; k < 4; ++k) elements[threadIdx.x + k] = threadIdx.x;
  out[threadIdx.x] = elements[threadIdx.x + last];
}

// All lanes write one value to one word, which lane 0 has read: its own write is in order, those of the others are not.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void all_write_what_one_has_read(int* out) {
  __shared__ int total[32];
  const int t = threadIdx.x;
  total[t] = t;
  __syncthreads();
  int sum = t < 2 ? total[t] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  total[0] = sum;
  __syncthreads();
  out[t] = total[0];
}

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: safe
__global__ void all_write_after_one_has_read(int* out) {
  __shared__ int total[32];
  const int t = threadIdx.x;
  total[t] = t;
  __syncthreads();
  int sum = t < 2 ? total[t] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  __syncwarp();
  total[0] = sum;
  __syncthreads();
  out[t] = total[0];
}

// Another lane's write is in order for lane 0 only, which has waited for it.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: write_write __syncwarp()
__global__ void all_write_what_one_has_written(int* out) {
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 1) total = 7;
  if (t < 2) __syncwarp(3);
  total = 5;
  __syncthreads();
  out[t] = total;
}

// From warp to warp of a block: every lane fences, lane 0 sets the flag, and the other warp's lane 0 sees it.
// run: --grid 1 --block 64 --arg i32[32]=0
// verdict: safe
__global__ void warp_to_warp_by_fences_of_all_lanes(int* out) {
  __shared__ int box[32];
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    box[lane] = lane;
    __threadfence_block();
    __syncwarp();
    if (lane == 0) atomicExch(&flag, 1);
    return;
  }
  if (lane == 0)
    while (atomicAdd(&flag, 0) == 0) {
    }
  __syncwarp();
  __threadfence_block();
  out[lane] = box[31 - lane];
}

// run: --grid 1 --block 64 --arg i32[32]=0
// verdict: read_write __syncthreads()
__global__ void warp_to_warp_without_the_second_fence(int* out) {
  __shared__ int box[32];
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    box[lane] = lane;
    __threadfence_block();
    __syncwarp();
    if (lane == 0) atomicExch(&flag, 1);
    return;
  }
  if (lane == 0)
    while (atomicAdd(&flag, 0) == 0) {
    }
  __syncwarp();
  out[lane] = box[31 - lane];
}
