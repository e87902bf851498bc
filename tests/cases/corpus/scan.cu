// Inclusive prefix sum of each block's segment: shuffles within a warp, shared memory between warps. The block's total
// goes to totals, from which a second launch could add the offsets.
// kernel: scan(out, totals, in, n), dynamic shared memory of one int for each warp of a block
// run: --kernel scan --grid 4 --block 256 --shared 32 --arg i32[1000]=0 --arg i32[4]=0 --arg i32[1000]=iota --arg i32=1000
// kernel: scan_ladder(out, in), one block of any power of two, doubling the distance at each step
// run: --kernel scan_ladder --grid 3 --block 128 --shared 1024 --arg u64[384]=0 --arg u64[384]=iota

__device__ __forceinline__ int scan_warp(int value, int lane) {
  for (int distance = 1; distance < warpSize; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

__global__ void scan(int* out, int* totals, const int* in, int n) {
  extern __shared__ int warp_sums[];

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int warps = blockDim.x / warpSize;

  int value = scan_warp(i < n ? in[i] : 0, lane);
  if (lane == warpSize - 1) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int sum = scan_warp(lane < warps ? warp_sums[lane] : 0, lane);
    if (lane < warps) warp_sums[lane] = sum;
  }
  __syncthreads();
  if (warp > 0) value += warp_sums[warp - 1];
  if (i < n) out[i] = value;
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = value;
}

__global__ void scan_ladder(unsigned long long* out, const unsigned long long* in) {
  extern __shared__ unsigned long long values[];

  const unsigned first = blockIdx.x * blockDim.x;
  values[threadIdx.x] = in[first + threadIdx.x];
  for (unsigned distance = 1; distance < blockDim.x; distance <<= 1) {
    __syncthreads();
    const unsigned long long below = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += below;
  }
  out[first + threadIdx.x] = values[threadIdx.x];
}
