// Loads from the shared memory of other blocks of a cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// run: --grid 8 --block 64 --cluster 4 --arg i32[512]=iota --arg i32[512]=0
__global__ void cluster_ring(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  const int* next = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % 4);
  out[i] = next[63 - threadIdx.x];
  cluster.sync();
}

// The own block is one of those that are read.
// run: --grid 6 --block 96 --cluster 3 --arg f32[576]=iota --arg f32[576]=0
__global__ void cluster_columns(const float* in, float* out) {
  __shared__ float row[96];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 96 + threadIdx.x;
  row[threadIdx.x] = in[i];
  cluster.sync();
  float sum = 0;
  for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) sum += cluster.map_shared_rank(row, rank)[threadIdx.x];
  out[i] = sum;
  cluster.sync();
}

// run: --grid 4 --block 64 --cluster 2 --arg f32[1024]=iota --arg f32[1024]=0
__global__ void cluster_float4(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[(threadIdx.x + 1) % 64];
  cluster.sync();
}

// By addresses of .shared::cluster instead of generic ones.
// run: --grid 4 --block 32 --cluster 4 --arg i32[128]=iota --arg i32[128]=0
__global__ void cluster_in_ptx(const int* in, int* out) {
  __shared__ int tile[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  unsigned rank, there;
  int value;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"((unsigned)__cvta_generic_to_shared(&tile[threadIdx.x ^ 3])), "r"(3 - rank));
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(there) : "memory");
  out[i] = value;
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

// run: --grid 4 --block 80 --cluster 2 --shared 400 --arg i32[320]=iota --arg i32[320]=0
__global__ void cluster_some_lanes(const int* in, int* out) {
  extern __shared__ int tile[];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 80 + t;
  tile[t + 20] = in[i];
  cluster.sync();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  int value = -1;
  if (t % 3 == 0) value = other[20 + t / 3];
  if (value > 10 && t % 2) value = other[20 + (7 * t) % 80];
  out[i] = value;
  cluster.sync();
}

// Two addresses per bank, and the same word for all lanes.
// run: --grid 2 --block 32 --cluster 2 --arg i32[128]=iota --arg i32[64]=0
__global__ void cluster_strides(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 64 + t];
  tile[t + 32] = in[blockIdx.x * 64 + t + 32];
  cluster.sync();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + t] = other[2 * t] + other[33];
  cluster.sync();
}

// The lanes of one instruction read from four blocks, one of them their own.
// run: --grid 4 --block 64 --cluster 4 --arg i32[256]=iota --arg i32[256]=0
__global__ void cluster_gather(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, threadIdx.x % 4)[threadIdx.x];
  cluster.sync();
}
