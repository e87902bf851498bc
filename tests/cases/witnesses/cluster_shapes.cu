// Where a launch has its clusters from, and in what shape.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// From the launch, in two dimensions.
// run: --grid 4,6 --block 32 --cluster 2,3 --arg i32[768]=0
__global__ void cluster_of_launch(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  const int block = blockIdx.x + gridDim.x * blockIdx.y;
  tile[threadIdx.x] = 100 * block + threadIdx.x;
  cluster.sync();
  const unsigned rank = cluster.block_rank();
  out[32 * block + threadIdx.x] = 10000 * rank + cluster.map_shared_rank(tile, 5 - rank)[threadIdx.x];
  cluster.sync();
}

// From the kernel, in three dimensions.
// run: --grid 2,4,2 --block 32 --arg i32[512]=0
__global__ void __cluster_dims__(1, 2, 2) cluster_declared(int* out) {
  __shared__ int tile[32];
  cg::cluster_group cluster = cg::this_cluster();
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  tile[threadIdx.x] = 100 * block + threadIdx.x;
  cluster.sync();
  const unsigned rank = cluster.block_rank();
  out[32 * block + threadIdx.x] = 10000 * rank + cluster.map_shared_rank(tile, 3 - rank)[threadIdx.x];
  cluster.sync();
}

// From both.
// run: --grid 8 --block 64 --cluster 4 --arg i32[512]=iota --arg i32[512]=0
__global__ void __cluster_dims__(4) cluster_of_both(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, 0)[threadIdx.x];
  cluster.sync();
}

// A kernel that knows nothing of its clusters.
// run: --grid 4 --block 64 --cluster 4 --arg f32[256]=iota --arg f32[256]=0
__global__ void cluster_unused(const float* in, float* out) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[63 - threadIdx.x] + 1;
}
