// Litmus kernels of clusters: the shared memory of other blocks, and cluster.sync().
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each thread reads what the same thread of the next block wrote.
// run: --grid 4 --block 64 --cluster 2 --arg i32[256]=0
// verdict: safe
__global__ void written_then_read(int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
}

// run: --grid 2 --block 32 --cluster 2 --arg i32[32]=0
// verdict: may_have_ended cluster.sync()
__global__ void nobody_waits_at_the_end(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  // The block that reads arrives last at the barrier, so the other block happens to be still there.
  if (cluster.block_rank() == 1) out[threadIdx.x] = cluster.map_shared_rank(tile, 0)[threadIdx.x];
}

// run: --grid 2 --block 64 --cluster 2 --arg i32[128]=0
// verdict: not_begun cluster.sync()
__global__ void nobody_waits_at_the_beginning(int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x] = 5;
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}

// run: --grid 2 --block 64 --cluster 2 --arg i32[128]=0
// verdict: read_write cluster.sync()
__global__ void a_barrier_of_the_block_is_not_enough(int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = 0;
  cluster.sync();
  tile[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
}

// Blocks of one cluster, through global memory: cluster.sync() orders them.
// run: --grid 2 --block 64 --cluster 2 --arg i32[128]=0
// verdict: safe
__global__ void through_global_memory(int* data) {
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  cg::this_cluster().sync();
  if (blockIdx.x == 0) data[threadIdx.x] += data[64 + threadIdx.x];
}

// It orders nothing between two clusters.
// run: --grid 4 --block 64 --cluster 2 --arg i32[256]=0
// verdict: read_write grid.sync()
__global__ void through_another_cluster(int* data) {
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  cg::this_cluster().sync();
  if (blockIdx.x >= 2) data[blockIdx.x * 64 + threadIdx.x] += data[(blockIdx.x - 2) * 64 + threadIdx.x];
}

// The arrival comes before the write.
// run: --grid 2 --block 64 --cluster 2 --arg i32[128]=0
// verdict: read_write cluster.sync()
__global__ void written_behind_the_arrival(int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = 0;
  cluster.sync();
  auto token = cluster.barrier_arrive();
  tile[threadIdx.x] = threadIdx.x;
  cluster.barrier_wait(std::move(token));
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
}
