#include <cooperative_groups.h>

__global__ void cluster_classes(int* data) {
  __shared__ int tile[32];
  auto cluster = cooperative_groups::this_cluster();
  tile[threadIdx.x] = data[blockIdx.x * 32 + threadIdx.x];
  cluster.sync();
  int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  const int read = other[threadIdx.x];
  cluster.sync();
  other[threadIdx.x] = read + 1;
  cluster.sync();
  atomicAdd(&other[0], read);
  cluster.sync();
  data[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}
