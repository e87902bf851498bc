// Atomic operations in the shared memory of other blocks of a cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A histogram whose bins are spread over the blocks.
// run: --grid 8 --block 128 --cluster 4 --shared 256 --arg i32[256]=0 --arg i32=64 --arg i32[4096]=random:7:0:255 --arg i32=4096
__global__ void cluster_histogram(int* bins, int bins_of_block, const int* values, int count) {
  extern __shared__ int part[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int* owner = cluster.map_shared_rank(part, values[i] / bins_of_block);
    atomicAdd(&owner[values[i] % bins_of_block], 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * bins_of_block + i], part[i]);
}

// What the operation returns is used; one lane per word.
// run: --grid 4 --block 64 --cluster 2 --arg i32[256]=iota --arg i32[256]=0
__global__ void cluster_fetch_add(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = 1000 * in[i];
  cluster.sync();
  const int before = atomicAdd(&cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[63 - t], in[i]);
  cluster.sync();
  out[i] = before - tile[t];
}

// All blocks of a cluster count into the first one.
// run: --grid 8 --block 96 --cluster 8 --arg i32[768]=random:3:0:9 --arg i32[10]=0
__global__ void cluster_votes(const int* in, int* out) {
  __shared__ int counts[10];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 10) counts[threadIdx.x] = 0;
  cluster.sync();
  if (cluster.block_rank() != 0) atomicAdd(&cluster.map_shared_rank(counts, 0)[in[blockIdx.x * 96 + threadIdx.x]], 1);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x < 10) out[threadIdx.x] = counts[threadIdx.x];
}

// By addresses of .shared::cluster.
// run: --grid 2 --block 64 --cluster 2 --arg i32[128]=iota --arg i32[2]=0
__global__ void cluster_maximum(const int* in, int* out) {
  __shared__ int most;
  unsigned rank, there;
  if (threadIdx.x == 0) most = -1;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"((unsigned)__cvta_generic_to_shared(&most)), "r"(rank ^ 1));
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("red.relaxed.cluster.shared::cluster.max.s32 [%0], %1;" ::"r"(there),
               "r"(in[blockIdx.x * 64 + threadIdx.x] % 50)
               : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0) out[blockIdx.x] = most;
}
