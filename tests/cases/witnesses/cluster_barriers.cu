// The barrier of a cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The barrier does not wait for threads that have exited: whole warps, and lanes of one.
// run: --grid 4 --block 128 --cluster 2 --arg i32[512]=iota --arg i32[512]=0
__global__ void cluster_early_exit(const int* in, int* out) {
  __shared__ int tile[70];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t >= 70) {
    out[i] = -in[i];
    return;
  }
  tile[t] = in[i];
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
  out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[69 - t];
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}

// Work between the arrival and the wait.
// run: --grid 8 --block 64 --cluster 8 --arg f32[512]=iota --arg f32[512]=0
__global__ void cluster_split_barrier(const float* in, float* out) {
  __shared__ float tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = in[i];
  cluster.barrier_arrive();
  float own = 0;
  for (int step = 0; step < 4; ++step) own += in[(i + step) % 512];
  cluster.barrier_wait();
  out[i] = own + cluster.map_shared_rank(tile, 7 - cluster.block_rank())[t];
  cluster.sync();
}

// A sum over all blocks, by halves.
// run: --grid 8 --block 32 --cluster 8 --arg i32[256]=iota --arg i32[32]=0
__global__ void cluster_tree(const int* in, int* out) {
  __shared__ int part[32];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 32 + t];
  cluster.sync();
  for (unsigned half = cluster.num_blocks() / 2; half > 0; half /= 2) {
    if (cluster.block_rank() < half) part[t] += cluster.map_shared_rank(part, cluster.block_rank() + half)[t];
    cluster.sync();
  }
  if (cluster.block_rank() == 0) out[t] = part[t];
}

// run: --grid 4 --block 64 --cluster 2 --cooperative --arg i32[256]=iota --arg i32[256]=0
__global__ void cluster_cooperative(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = in[i];
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[t ^ 5];
  cluster.sync();
}
