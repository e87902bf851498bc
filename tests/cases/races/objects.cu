// Litmus kernels of mbarrier objects, bulk copies and the barrier of a cluster of one block.
#define OBJECT                                       \
  __shared__ alignas(16) int tile[64];               \
  __shared__ alignas(8) unsigned long long object;   \
  const unsigned at = address(&object), i = threadIdx.x; \
  (void)tile

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned at, unsigned arrivals) {
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
  __syncthreads();
}
__device__ void arrive(unsigned at) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory"); }
__device__ void await(unsigned at, unsigned parity) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(at),
               "r"(parity)
               : "memory");
}
__device__ void expect(unsigned at, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}
__device__ void fetch(int* to, const int* from, unsigned bytes, unsigned at) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   address(to)),
               "l"(from), "r"(bytes), "r"(at)
               : "memory");
}
__device__ void put(int* to, const int* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;" ::"l"(to),
               "r"(address(from)), "r"(bytes)
               : "memory");
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: safe
__global__ void arrive_and_wait(int* out, const int* in) {
  OBJECT;
  init(at, 64);
  tile[i] = in[i];
  arrive(at);
  await(at, 0);
  out[i] = tile[63 - i];
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: read_write __syncthreads()
__global__ void arrive_without_waiting(int* out, const int* in) {
  OBJECT;
  tile[i] = 0;
  init(at, 64);
  tile[i] = in[i];
  arrive(at);
  out[i] = tile[63 - i];
}

// After the second phase the tile may be written again.
// run: --grid 1 --block 64 --arg i32[128]=0 --arg i32[128]=iota
// verdict: safe
__global__ void two_phases(int* out, const int* in) {
  OBJECT;
  init(at, 64);
  for (unsigned round = 0; round < 2; ++round) {
    tile[i] = in[64 * round + i];
    arrive(at);
    await(at, 0);
    out[64 * round + i] = tile[63 - i];
    arrive(at);
    await(at, 1);
  }
}

// run: --grid 1 --block 64 --arg i32[128]=0 --arg i32[128]=iota
// verdict: read_write __syncthreads()
__global__ void one_phase_each(int* out, const int* in) {
  OBJECT;
  init(at, 64);
  for (unsigned round = 0; round < 2; ++round) {
    tile[i] = in[64 * round + i];
    arrive(at);
    await(at, round);
    out[64 * round + i] = tile[63 - i];
  }
}

// A producer and a consumer: full and empty.
// run: --grid 1 --block 64 --arg i32[128]=0 --arg i32[128]=iota
// verdict: safe
__global__ void warp_specialised(int* out, const int* in) {
  OBJECT;
  __shared__ alignas(8) unsigned long long empty;
  init(at, 32);
  init(address(&empty), 32);
  for (unsigned round = 0; round < 4; ++round) {
    if (i < 32) {
      if (round > 0) await(address(&empty), (round - 1) & 1);
      tile[i] = in[32 * round + i];
      arrive(at);
    } else {
      await(at, round & 1);
      out[32 * round + i - 32] = tile[63 - i];
      arrive(address(&empty));
    }
  }
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: safe
__global__ void bulk_copy_awaited(int* out, const int* in) {
  OBJECT;
  init(at, 1);
  if (i == 0) expect(at, 256), fetch(tile, in, 256, at);
  await(at, 0);
  out[i] = tile[63 - i];
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: copy_not_awaited cp.async.wait_group
__global__ void bulk_copy_not_awaited(int* out, const int* in) {
  OBJECT;
  tile[i] = 0;
  init(at, 1);
  if (i == 0) expect(at, 256), fetch(tile, in, 256, at);
  __syncthreads();
  out[i] = tile[63 - i];
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: safe
__global__ void bulk_store_awaited(int* out, const int* in) {
  OBJECT;
  tile[i] = in[63 - i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (i == 0) {
    put(out, tile, 256);
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  __syncthreads();
  tile[i] = 0;
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: copy_not_awaited cp.async.wait_group
__global__ void bulk_store_overwritten(int* out, const int* in) {
  OBJECT;
  tile[i] = in[63 - i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (i == 0) put(out, tile, 256);
  __syncthreads();
  tile[i] = 0;
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: safe
__global__ void cluster_of_one(int* out, const int* in) {
  OBJECT;
  tile[i] = in[i];
  asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
  out[i] = tile[63 - i];
}
