// Softmax of each row, stable: the row's maximum is subtracted first. One block for each row.
// kernel: softmax(out, in, columns), block-wide maximum and sum by warp shuffles and shared memory
// run: --kernel softmax --grid 5 --block 128 --arg f32[1500]=0 --arg f32[1500]=random:11 --arg i32=300
// kernel: softmax_tiles(out, in, rows, columns), one 32-thread tile of a block for each row, with cooperative groups
// run: --kernel softmax_tiles --grid 2 --block 128 --arg f32[497]=0 --arg f32[497]=random:12 --arg i32=7 --arg i32=71

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>

namespace cg = cooperative_groups;

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Combine>
__device__ float block_reduce(float value, float neutral, Combine combine) {
  __shared__ float partial[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = (blockDim.x + 31) >> 5;
  for (int distance = 16; distance > 0; distance >>= 1)
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  __syncthreads();
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = lane < warps ? partial[lane] : neutral;
  for (int distance = 16; distance > 0; distance >>= 1)
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

__global__ void softmax(float* out, const float* in, int columns) {
  const float* row = in + blockIdx.x * columns;
  float* result = out + blockIdx.x * columns;

  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
  largest = block_reduce(largest, -INFINITY, Larger{});

  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - largest);
  sum = block_reduce(sum, 0.0f, Sum{});

  for (int i = threadIdx.x; i < columns; i += blockDim.x) result[i] = expf(row[i] - largest) / sum;
}

__global__ void softmax_tiles(float* out, const float* in, int rows, int columns) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  const float* from = in + row * columns;
  float* to = out + row * columns;

  float largest = -INFINITY;
  for (int i = tile.thread_rank(); i < columns; i += tile.size()) largest = fmaxf(largest, from[i]);
  largest = cg::reduce(tile, largest, cg::greater<float>());

  float sum = 0;
  for (int i = tile.thread_rank(); i < columns; i += tile.size()) sum += __expf(from[i] - largest);
  sum = cg::reduce(tile, sum, cg::plus<float>());

  const float scale = __frcp_rn(sum);
  for (int i = tile.thread_rank(); i < columns; i += tile.size()) to[i] = __expf(from[i] - largest) * scale;
}
