// Stores to the shared memory of other blocks of a cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Warp w of each block sends its values to block w, which is its own for one of them.
// run: --grid 8 --block 128 --cluster 4 --arg i32[1024]=iota --arg i32[1024]=0
__global__ void cluster_transpose(const int* in, int* out) {
  __shared__ int tile[128];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  cluster.sync();
  cluster.map_shared_rank(tile, t / 32)[cluster.block_rank() * 32 + t % 32] = in[i];
  cluster.sync();
  out[i] = tile[t];
}

// A stencil of which each block sends its outer values to its neighbours.
// run: --grid 8 --block 64 --cluster 4 --arg f32[512]=iota --arg f32[512]=0
__global__ void cluster_halo(const float* in, float* out) {
  __shared__ float tile[66];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  const unsigned rank = cluster.block_rank();
  const float own = in[i];
  tile[t + 1] = own;
  if (t == 0 && rank == 0) tile[0] = 0;
  if (t == 63 && rank == 3) tile[65] = 0;
  cluster.sync();
  if (t == 0 && rank > 0) cluster.map_shared_rank(tile, rank - 1)[65] = own;
  if (t == 63 && rank < 3) cluster.map_shared_rank(tile, rank + 1)[0] = own;
  cluster.sync();
  out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

// By addresses of .shared::cluster, two words at a time.
// run: --grid 4 --block 64 --cluster 2 --arg i32[512]=iota --arg i32[512]=0
__global__ void cluster_store_in_ptx(const int2* in, int2* out) {
  __shared__ int2 tile[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  unsigned rank, there;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"((unsigned)__cvta_generic_to_shared(&tile[63 - t])), "r"(rank ^ 1));
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("st.shared::cluster.v2.s32 [%0], {%1, %2};" ::"r"(there), "r"(in[i].y), "r"(in[i].x) : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  out[i] = tile[t];
}

// The lanes of one instruction write to two blocks, one of them their own.
// run: --grid 4 --block 64 --cluster 2 --arg i32[256]=iota --arg i32[256]=0
__global__ void cluster_deal(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  cluster.sync();
  cluster.map_shared_rank(tile, t % 2)[cluster.block_rank() * 32 + t / 2] = in[i];
  cluster.sync();
  out[i] = tile[t];
}
