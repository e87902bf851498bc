// Litmus kernels of block barriers. `verdict:` lists the kinds and cures that the detector must find; safe = none.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

// run: --grid 2 --block 64 --arg i32[128]=0 --arg i32[128]=iota
// verdict: fault memory.uninitialised
__global__ void neighbour_without_barrier(int* out, const int* in) {
  __shared__ int tile[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = in[i];
  out[i] = tile[63 - t];
}

// run: --grid 2 --block 64 --arg i32[128]=0 --arg i32[128]=iota
// verdict: safe
__global__ void neighbour_with_barrier(int* out, const int* in) {
  __shared__ int tile[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = in[i];
  __syncthreads();
  out[i] = tile[63 - t];
}

// Now that there is something to read, it is a race.
// run: --grid 2 --block 64 --arg i32[128]=0 --arg i32[128]=iota
// verdict: read_write __syncthreads()
__global__ void neighbour_without_a_second_barrier(int* out, const int* in) {
  __shared__ int tile[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[i];
  out[i] = tile[63 - t];
}

// Every thread reads only what it wrote itself: program order.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: safe
__global__ void own_place(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x];
}

// The next turn writes while slow warps still read.
// run: --grid 1 --block 128 --arg i32[128]=0 --arg i32[512]=iota
// verdict: read_write __syncthreads()
__global__ void one_barrier_a_turn(int* out, const int* in) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    tile[t] = in[turn * 128 + t];
    __syncthreads();
    sum += tile[127 - t];
  }
  out[t] = sum;
}

// run: --grid 1 --block 128 --arg i32[128]=0 --arg i32[512]=iota
// verdict: safe
__global__ void two_barriers_a_turn(int* out, const int* in) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    tile[t] = in[turn * 128 + t];
    __syncthreads();
    sum += tile[127 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// Two alternating buffers need only one barrier.
// run: --grid 1 --block 128 --arg i32[128]=0 --arg i32[512]=iota
// verdict: safe
__global__ void two_buffers(int* out, const int* in) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    tile[turn % 2][t] = in[turn * 128 + t];
    __syncthreads();
    sum += tile[turn % 2][127 - t];
  }
  out[t] = sum;
}

// The read and the write of one statement: s[t] = s[t + 1].
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: read_write __syncthreads()
__global__ void shift_in_place(int* out) {
  __shared__ int tile[65];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t == 0) tile[64] = 64;
  __syncthreads();
  tile[t] = tile[t + 1];
  __syncthreads();
  out[t] = tile[t];
}

// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: safe
__global__ void shift_through_a_register(int* out) {
  __shared__ int tile[65];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t == 0) tile[64] = 64;
  __syncthreads();
  const int next = tile[t + 1];
  __syncthreads();
  tile[t] = next;
  __syncthreads();
  out[t] = tile[t];
}

// A reduction by halving, without the barrier at the end of each turn.
// run: --grid 2 --block 256 --arg f32[2]=0 --arg f32[512]=iota
// verdict: read_write __syncthreads()
__global__ void reduce_without_barrier(float* out, const float* in) {
  __shared__ float partial[256];
  const int t = threadIdx.x;
  partial[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (t < half) partial[t] += partial[t + half];
  __syncthreads();
  if (t == 0) out[blockIdx.x] = partial[0];
}

// Two warps meet at barrier 1. The others do not take part, but read all the same.
// run: --grid 1 --block 128 --arg i32[128]=0
// verdict: read_write __syncthreads()
__global__ void half_of_the_block_waits(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
    tile[t] = t;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  out[t] = t < 64 ? tile[63 - t] : t;
  if (t == 100) out[t] = tile[5];
}

// run: --grid 1 --block 128 --arg i32[128]=0
// verdict: safe
__global__ void half_of_the_block_meets(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
    tile[t] = t;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = tile[63 - t];
  }
}

// A producer arrives without waiting, a consumer waits.
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: safe
__global__ void arrive_then_wait(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  if (t < 32) {
    tile[t] = t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = tile[63 - t];
  }
}

// A thread that arrives without waiting acquires nothing.
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: read_write __syncthreads()
__global__ void arrive_then_read(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = t;
  if (t < 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    out[t] = tile[63 - t];
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = tile[63 - t];
  }
}

// A barrier that also votes is a barrier.
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: safe
__global__ void barrier_with_a_vote(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  const int any = __syncthreads_or(t == 5);
  out[t] = any ? tile[63 - t] : 0;
}

// run: --grid 1 --block 64 --arg u8[64]=0
// verdict: safe
__global__ void different_bytes_of_a_word(unsigned char* out) {
  __shared__ unsigned char tile[64];
  const int t = threadIdx.x;
  tile[(t % 2) * 32 + t / 2] = static_cast<unsigned char>(t);
  out[t] = tile[(t % 2) * 32 + t / 2];
}

// A byte is read while its word is written.
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: read_write __syncthreads()
__global__ void a_byte_of_a_word(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = t;
  out[t] = reinterpret_cast<const unsigned char*>(tile)[4 * (63 - t) + 2];
}

// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: safe
__global__ void all_read(int* out) {
  __shared__ int one;
  if (threadIdx.x == 0) one = 7;
  __syncthreads();
  out[threadIdx.x] = one;
}

// run: --grid 1 --block 64 --arg i32[1]=0
// verdict: write_write __syncthreads()
__global__ void last_writer_wins(int* out) {
  __shared__ int one;
  if (threadIdx.x % 32 == 0) one = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = one;
}

// run: --grid 1 --block 64 --arg i32[1]=0
// verdict: same_value __syncthreads()
__global__ void all_write_the_same(int* out) {
  __shared__ int one;
  one = *out + 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = one;
}

// Whatever the order, each thread reads the value that it wrote.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32=0
// verdict: same_value __syncthreads()
__global__ void all_write_the_same_and_read_it(int* out, int k) {
  __shared__ int cells[2];
  cells[0] = *out + 1;
  __syncwarp();
  out[threadIdx.x + (threadIdx.x == 0)] = cells[k];
}

// The same, with another value by one warp.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32=0
// verdict: read_write __syncthreads(), write_write __syncthreads()
__global__ void one_writes_another_value_and_reads_it(int* out, int k) {
  __shared__ int cells[2];
  cells[0] = threadIdx.x / 32;
  __syncwarp();
  out[threadIdx.x] = cells[k];
}

// Warp 0 reads before it writes, so it may read the other warp's value or the one before.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32=0
// verdict: read_write __syncthreads(), same_value __syncthreads()
__global__ void all_read_and_then_write_the_same(int* out, int k) {
  __shared__ int cells[2];
  if (threadIdx.x == 0) cells[0] = 0;
  __syncthreads();
  const int before = cells[k];
  __syncwarp();
  cells[0] = 5;
  out[threadIdx.x] = before;
}

// The reading thread wrote something, but before the other write, which is ordered after it.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32=0
// verdict: read_write __syncthreads()
__global__ void another_write_after_a_barrier(int* out, int k) {
  __shared__ int cells[2];
  if (threadIdx.x == 32) cells[0] = 5;
  __syncthreads();
  if (threadIdx.x == 0) cells[0] = 6;
  if (threadIdx.x == 32) out[0] = cells[k];
}

// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: colliding_lanes __syncwarp()
__global__ void lanes_collide(int* out) { out[threadIdx.x / 2] = threadIdx.x; }

// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: atomic_plain __syncthreads()
__global__ void atomic_and_plain(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  out[threadIdx.x] = count;
}

// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: safe
__global__ void atomic_then_barrier(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}

// The initial value is a plain store without a barrier.
// run: --grid 1 --block 64 --arg i32[64]=0
// verdict: atomic_plain __syncthreads()
__global__ void atomic_on_what_is_set(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}

// Threads that exit early need not arrive at the barrier.
// run: --grid 2 --block 96 --arg i32[96]=0 --arg i32[96]=iota --arg i32=40
// verdict: safe
__global__ void returns_before_the_barrier(int* out, const int* in, int n) {
  __shared__ int tile[96];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = in[t];
  __syncthreads();
  out[blockIdx.x * n + t] = tile[n - 1 - t];
}

// But nothing orders what they wrote before: they arrived at no barrier.
// run: --grid 1 --block 64 --arg i32[32]=0
// verdict: read_write __syncthreads()
__global__ void returns_behind_its_write(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t >= 32) return;
  __syncthreads();
  out[t] = tile[63 - t];
}

// A tile of two warps synchronises with atomics on shared memory that the system reserves.
// run: --grid 1 --block 128 --shared 512 --arg i32[128]=0
// verdict: safe
__global__ void tiles_of_two_warps(int* out) {
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<128> memory;
  extern __shared__ int mine[];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  mine[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = mine[64 * tile.meta_group_rank() + 63 - tile.thread_rank()];
}

// The header tells the tile's last warp by a shuffle that the others have arrived.
// run: --grid 1 --block 128 --arg i32[128]=0
// verdict: safe
__global__ void sums_of_two_warps(int* out) {
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  out[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
}

// Each collective writes where the one before was read; only votes, shuffles and reductions lie between.
// run: --grid 1 --block 128 --arg i32[128]=0
// verdict: safe
__global__ void collectives_in_a_row(int* out) {
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int rank = static_cast<int>(threadIdx.x);
  const int told = tile.shfl(rank, 5);
  const int sum = cg::reduce(tile, told, cg::plus<int>());
  const float largest = cg::reduce(tile, static_cast<float>(sum + rank), cg::greater<float>());
  const int before = cg::exclusive_scan(tile, rank);
  const int until = cg::inclusive_scan(tile, before);
  const int some = tile.any(rank == 70), all = tile.all(rank < 64);
  out[rank] = static_cast<int>(largest) + until + some + all;
}

// What the user's code shares is not ordered by a reduction within a warp.
// run: --grid 1 --block 32 --arg i32[32]=0
// verdict: read_write __syncwarp()
__global__ void reduction_instead_of_a_barrier(int* out) {
  namespace cg = cooperative_groups;
  __shared__ int mine[32];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = static_cast<int>(threadIdx.x);
  mine[rank] = 0;
  __syncthreads();
  mine[rank] = rank;
  const int sum = cg::reduce(tile, rank, cg::plus<int>());
  out[rank] = sum + mine[31 - rank];
}
