// Bitonic sort of each block's keys in shared memory, two keys for each thread.
// kernel: bitonic_sort<Key>(keys), 2 × blockDim.x keys a block, a power of two; dynamic shared memory for them
// run: --kernel 'bitonic_sort<unsigned>' --grid 2 --block 256 --shared 2048 --arg u32[1024]=random:21
// run: --kernel 'bitonic_sort<float>' --grid 3 --block 32 --shared 256 --arg f32[192]=random:22
// kernel: bitonic_step(keys, j, k), one exchange of the same network over global memory
// run: --kernel bitonic_step --grid 4 --block 64 --arg i32[256]=random:23 --arg u32=4 --arg u32=8

template <typename Key>
__device__ void order(Key& low, Key& high, bool ascending) {
  if ((low > high) == ascending) {
    const Key kept = low;
    low = high;
    high = kept;
  }
}

template <typename Key>
__global__ void bitonic_sort(Key* keys) {
  extern __shared__ __align__(8) unsigned char storage[];
  Key* shared = reinterpret_cast<Key*>(storage);

  const unsigned count = 2 * blockDim.x;
  Key* mine = keys + blockIdx.x * count;
  shared[threadIdx.x] = mine[threadIdx.x];
  shared[threadIdx.x + blockDim.x] = mine[threadIdx.x + blockDim.x];

  for (unsigned size = 2; size <= count; size *= 2)
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      order(shared[low], shared[low + distance], (low & size) == 0);
    }
  __syncthreads();
  mine[threadIdx.x] = shared[threadIdx.x];
  mine[threadIdx.x + blockDim.x] = shared[threadIdx.x + blockDim.x];
}

__global__ void bitonic_step(int* keys, unsigned j, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned partner = i ^ j;
  if (partner > i) order(keys[i], keys[partner], (i & k) == 0);
}
