// Litmus kernels of global memory, between blocks: fences, flags, grid.sync().
#include <cooperative_groups.h>

// run: --grid 4 --block 32 --arg i32[128]=0 --arg i32[128]=0
// verdict: read_write grid.sync()
__global__ void block_to_block(int* out, int* between) {
  const int i = blockIdx.x * 32 + threadIdx.x, n = gridDim.x * 32;
  between[i] = i;
  __syncthreads();
  out[i] = between[n - 1 - i];
}

// run: --grid 4 --block 32 --cooperative --arg i32[128]=0 --arg i32[128]=0
// verdict: safe
__global__ void block_to_block_in_step(int* out, int* between) {
  const int i = blockIdx.x * 32 + threadIdx.x, n = gridDim.x * 32;
  between[i] = i;
  cooperative_groups::this_grid().sync();
  out[i] = between[n - 1 - i];
}

// Three phases over two buffers, a grid-wide sync after each.
// run: --grid 5 --block 64 --cooperative --arg i32[320]=iota --arg i32[320]=0
// verdict: safe
__global__ void to_and_fro(int* a, int* b) {
  const int i = blockIdx.x * 64 + threadIdx.x, n = gridDim.x * 64;
  for (int turn = 0; turn < 3; ++turn) {
    b[i] = a[n - 1 - i] + turn;
    cooperative_groups::this_grid().sync();
    a[i] = b[n - 1 - i];
    cooperative_groups::this_grid().sync();
  }
}

// One sync too few.
// run: --grid 5 --block 64 --cooperative --arg i32[320]=iota --arg i32[320]=0
// verdict: read_write grid.sync()
__global__ void to_and_too_soon(int* a, int* b) {
  const int i = blockIdx.x * 64 + threadIdx.x, n = gridDim.x * 64;
  for (int turn = 0; turn < 3; ++turn) {
    b[i] = a[n - 1 - i] + turn;
    cooperative_groups::this_grid().sync();
    a[i] = b[n - 1 - i];
  }
}

// run: --grid 4 --block 32 --arg i32[1]=0
// verdict: safe
__global__ void atomics_meet(int* sum) { atomicAdd(sum, static_cast<int>(threadIdx.x)); }

// Adding without an atomic: both the read and the write of += race with other blocks.
// run: --grid 4 --block 1 --arg i32[1]=0
// verdict: read_write grid.sync(), write_write grid.sync()
__global__ void plain_sum(int* sum) { *sum += static_cast<int>(blockIdx.x) + 1; }

// run: --grid 4 --block 32 --arg i32[1]=0 --arg i32[4]=0
// verdict: atomic_plain grid.sync()
__global__ void atomics_and_a_plain_read(int* sum, int* out) {
  atomicAdd(sum, 1);
  if (threadIdx.x == 0) out[blockIdx.x] = *sum;
}

// An atomic whose scope is only its block.
// run: --grid 2 --block 32 --arg i32[1]=0
// verdict: write_write grid.sync()
__global__ void atomics_of_the_block(int* sum) { atomicAdd_block(sum, 1); }

// The last block to arrive adds the other blocks' sums: a fence before the ticket, and one after it.
// run: --grid 6 --block 64 --arg i32[6]=0 --arg i32[1]=0 --arg i32[1]=0
// verdict: safe
__global__ void last_block(int* sums, int* tickets, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    __threadfence();
    last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 40) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += sums[b];
    *total = sum;
  }
}

// run: --grid 6 --block 64 --arg i32[6]=0 --arg i32[1]=0 --arg i32[1]=0
// verdict: read_write grid.sync()
__global__ void last_block_without_fences(int* sums, int* tickets, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 40) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += sums[b];
    *total = sum;
  }
}

// A fence for the block does not reach another block.
// run: --grid 6 --block 64 --arg i32[6]=0 --arg i32[1]=0 --arg i32[1]=0
// verdict: read_write grid.sync()
__global__ void last_block_with_narrow_fences(int* sums, int* tickets, int* total) {
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  __threadfence_block();
  const bool last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __threadfence_block();
  if (!last) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += sums[b];
  *total = sum;
}

// A value behind a flag, with release and acquire.
// run: --grid 2 --block 1 --cooperative --arg i32[2]=0 --arg i32[1]=0
// verdict: safe
__global__ void flag_released(int* box, int* out) {
  if (blockIdx.x == 0) {
    box[0] = 42;
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(box + 1) : "memory");
    return;
  }
  int seen = 0;
  while (seen == 0) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(box + 1) : "memory");
  *out = box[0];
}

// run: --grid 2 --block 1 --cooperative --arg i32[2]=0 --arg i32[1]=0
// verdict: read_write grid.sync()
__global__ void flag_relaxed(int* box, int* out) {
  if (blockIdx.x == 0) {
    box[0] = 42;
    asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(box + 1) : "memory");
    return;
  }
  int seen = 0;
  while (seen == 0) asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(box + 1) : "memory");
  *out = box[0];
}

// run: --grid 2 --block 1 --cooperative --arg i32[2]=0 --arg i32[1]=0
// verdict: safe
__global__ void flag_fenced(int* box, int* out) {
  volatile int* flag = box + 1;
  if (blockIdx.x == 0) {
    box[0] = 42;
    __threadfence();
    *flag = 1;
    return;
  }
  while (*flag == 0) {}
  __threadfence();
  *out = box[0];
}

// Only the writer has a fence: the reader may have read too early.
// run: --grid 2 --block 1 --cooperative --arg i32[2]=0 --arg i32[1]=0
// verdict: read_write grid.sync()
__global__ void flag_fenced_on_one_side(int* box, int* out) {
  volatile int* flag = box + 1;
  if (blockIdx.x == 0) {
    box[0] = 42;
    __threadfence();
    *flag = 1;
    return;
  }
  while (*flag == 0) {}
  *out = box[0];
}

// The fence comes after the flag.
// run: --grid 2 --block 1 --cooperative --arg i32[2]=0 --arg i32[1]=0
// verdict: read_write grid.sync()
__global__ void flag_too_early(int* box, int* out) {
  volatile int* flag = box + 1;
  if (blockIdx.x == 0) {
    *flag = 1;
    box[0] = 42;
    __threadfence();
    return;
  }
  while (*flag == 0) {}
  __threadfence();
  *out = box[0];
}

// One thread publishes what its whole block wrote: barrier, fence, flag; fence, barrier.
// run: --grid 2 --block 64 --cooperative --arg i32[64]=0 --arg i32[1]=0 --arg i32[64]=0
// verdict: safe
__global__ void handed_on(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[63 - threadIdx.x];
}

// The same without the writers' barrier: thread 0 only publishes its own writes.
// run: --grid 2 --block 64 --cooperative --arg i32[64]=0 --arg i32[1]=0 --arg i32[64]=0
// verdict: read_write grid.sync()
__global__ void handed_on_too_soon(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __threadfence();
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[63 - threadIdx.x];
}

// A lock: the next block that takes it acquires what the last one released.
// run: --grid 4 --block 1 --cooperative --arg i32[1]=0 --arg i32[1]=0
// verdict: safe
__global__ void under_a_lock(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// run: --grid 4 --block 1 --cooperative --arg i32[1]=0 --arg i32[1]=0
// verdict: read_write grid.sync(), write_write grid.sync()
__global__ void under_a_lock_without_fences(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  *sum += 1;
  atomicExch(lock, 0);
}

// Every thread fences its own write before the barrier, and thread 0, which takes the ticket after it, does not fence
// again. The fences are fence.sc: the last block's come after those of all others, or the tickets would be drawn in
// another order.
// run: --grid 6 --block 64 --arg i32[384]=0 --arg i32[1]=0 --arg i32[6]=0
// verdict: safe
__global__ void last_block_of_fenced_threads(int* parts, int* tickets, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = static_cast<int>(threadIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || threadIdx.x >= gridDim.x) return;
  __threadfence();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[threadIdx.x * 64 + i];
  total[threadIdx.x] = sum;
}

// The same, with one fence before the last block's second barrier.
// run: --grid 6 --block 64 --arg i32[384]=0 --arg i32[1]=0 --arg i32[6]=0
// verdict: safe
__global__ void last_block_whose_thread_0_fences(int* parts, int* tickets, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = static_cast<int>(threadIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last || threadIdx.x >= gridDim.x) return;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[threadIdx.x * 64 + i];
  total[threadIdx.x] = sum;
}

// No fence behind the ticket: nothing orders the last block's reads.
// run: --grid 6 --block 64 --arg i32[384]=0 --arg i32[1]=0 --arg i32[6]=0
// verdict: read_write grid.sync()
__global__ void last_block_does_not_fence(int* parts, int* tickets, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = static_cast<int>(threadIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || threadIdx.x >= gridDim.x) return;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[threadIdx.x * 64 + i];
  total[threadIdx.x] = sum;
}

// The fence before the barrier is for the block, the one behind the ticket for the grid: neither is in the other's
// scope.
// run: --grid 6 --block 64 --arg i32[384]=0 --arg i32[1]=0 --arg i32[6]=0
// verdict: read_write grid.sync()
__global__ void last_block_of_narrow_fences(int* parts, int* tickets, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = static_cast<int>(threadIdx.x);
  __threadfence_block();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || threadIdx.x >= gridDim.x) return;
  __threadfence();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[threadIdx.x * 64 + i];
  total[threadIdx.x] = sum;
}

// fence.acq_rel releases only with a write by its own thread, and only thread 0 has one: what thread 0 itself wrote
// before its fence is released, what the others wrote is not.
// run: --grid 6 --block 64 --arg i32[384]=0 --arg i32[1]=0 --arg i32[6]=0
// verdict: read_write grid.sync()
__global__ void last_block_of_light_fences(int* parts, int* tickets, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = static_cast<int>(threadIdx.x);
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || threadIdx.x >= gridDim.x) return;
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[threadIdx.x * 64 + i];
  total[threadIdx.x] = sum;
}

// Tickets of the block's scope are no observation by other blocks.
// run: --grid 6 --block 64 --arg i32[384]=0 --arg i32[1]=0 --arg i32[6]=0
// verdict: read_write grid.sync(), write_write grid.sync()
__global__ void last_block_with_narrow_tickets(int* parts, int* tickets, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = static_cast<int>(threadIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd_block(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || threadIdx.x >= gridDim.x) return;
  __threadfence();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[threadIdx.x * 64 + i];
  total[threadIdx.x] = sum;
}

// Fences alone, with nothing observed in between: they execute in some order, but in either.
// run: --grid 2 --block 1 --arg i32[1]=0 --arg i32[1]=0
// verdict: read_write grid.sync()
__global__ void fences_alone(int* box, int* out) {
  if (blockIdx.x == 0) *box = 42;
  __threadfence();
  if (blockIdx.x == 1) *out = *box;
}

// Every lane fences, and lane 0 sets the flag behind a barrier of the warp.
// run: --grid 2 --block 32 --cooperative --arg i32[66]=0 --arg i32[32]=0
// verdict: safe
__global__ void warp_fences_then_lane_0_sets_the_flag(int* box, int* out) {
  volatile int* flag = box + 64;
  const int lane = threadIdx.x;
  if (blockIdx.x == 0) {
    box[lane] = lane;
    __threadfence();
    __syncwarp();
    if (lane == 0) *flag = 1;
    return;
  }
  if (lane == 0)
    while (*flag == 0) {
    }
  __syncwarp();
  __threadfence();
  out[lane] = box[31 - lane];
}

// The flag is set before the other lanes have reached their fences.
// run: --grid 2 --block 32 --cooperative --arg i32[66]=0 --arg i32[32]=0
// verdict: read_write grid.sync()
__global__ void warp_fences_after_lane_0_sets_the_flag(int* box, int* out) {
  volatile int* flag = box + 64;
  const int lane = threadIdx.x;
  if (blockIdx.x == 0) {
    box[lane] = lane;
    __threadfence();
    if (lane == 0) *flag = 1;
    __syncwarp();
    return;
  }
  if (lane == 0)
    while (*flag == 0) {
    }
  __syncwarp();
  __threadfence();
  out[lane] = box[31 - lane];
}
