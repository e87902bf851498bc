// Histogram of bytes: each block counts in shared memory, then adds its counts to the global ones.
// kernel: histogram(bins, data, n), 256 bins; any grid and block
// run: --kernel histogram --grid 3 --block 128 --arg u32[256]=0 --arg u8[5000]=random:7 --arg i32=5000
// kernel: histogram_matched(bins, data, n), lanes with the same value let one of them add for all
// run: --kernel histogram_matched --grid 2 --block 96 --arg u32[256]=0 --arg u8[777]=random:9 --arg i32=777

constexpr int BINS = 256;

__global__ void histogram(unsigned* bins, const unsigned char* data, int n) {
  __shared__ unsigned counts[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) atomicAdd(&counts[data[i]], 1u);
  __syncthreads();

  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    if (counts[bin] > 0) atomicAdd(&bins[bin], counts[bin]);
}

__global__ void histogram_matched(unsigned* bins, const unsigned char* data, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    const int value = data[i];
    const unsigned peers = __match_any_sync(__activemask(), value);
    const int leader = __ffs(peers) - 1;
    if (threadIdx.x % 32 == leader) atomicAdd(&bins[value], __popc(peers));
  }
}
