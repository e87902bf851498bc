// Cooperative groups, libcu++ atomics, barriers and pipelines, asynchronous copies, textures.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void groups(float* a, int* n) {
  auto block = cg::this_thread_block();
  auto grid = cg::this_grid();
  auto tile = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(tile);
  auto active = cg::coalesced_threads();
  __shared__ float s[256];
  cg::memcpy_async(block, s, a, sizeof(s));
  cg::wait(block);
  float v = cg::reduce(tile, s[block.thread_rank()], cg::plus<float>());
  v += cg::inclusive_scan(quad, v) + cg::exclusive_scan(active, v, cg::greater<float>());
  n[0] = tile.any(v > 1) + tile.ballot(v > 2) + tile.match_any(n[1]);
  n[3] += cg::labeled_partition(tile, n[2]).size() + cg::binary_partition(active, v > 3).thread_rank();
  grid.sync();
  a[grid.thread_rank()] = v + tile.shfl_down(v, 1);
  block.barrier_wait(block.barrier_arrive());
}

__global__ void atomics(int* i, float* f) {
  cuda::atomic_ref<int, cuda::thread_scope_device> device(i[50]);
  device.fetch_add(3, cuda::memory_order_acq_rel);
  device.store(4, cuda::memory_order_release);
  i[9] = device.load(cuda::memory_order_acquire);
  int expected = 3;
  device.compare_exchange_strong(expected, 9);
  cuda::atomic_ref<float, cuda::thread_scope_block>(f[50]).fetch_add(2.f);
}

__global__ void pipelines(float* a, float4* q) {
  __shared__ float s[2][128];
  __shared__ float4 wide[128];
  __pipeline_memcpy_async(&wide[threadIdx.x], &q[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 4; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[i & 1][threadIdx.x], a + i * 128 + threadIdx.x, sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    a[i + threadIdx.x] = s[i & 1][threadIdx.x ^ 1] + wide[threadIdx.x ^ 3].x;
    pipe.consumer_release();
  }
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  barrier.arrive_and_wait();
}

__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4* o) {
  o[0] = tex2D<float4>(t, 1.f, 2.f);
  o[1].x = tex1Dfetch<float>(t, 3);
  surf2Dwrite(o[2], s, 0, 1);
}
