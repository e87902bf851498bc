// The next tile is loaded into registers before this one is worked on. A load does not stop its thread; the first
// instruction that uses the value does, and that comes a turn later.
__global__ void registers(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float tile[1024];
  const int thread = threadIdx.x;
  float4 next = {};
  // @phase load
  if (blockIdx.x < tiles) next = reinterpret_cast<const float4*>(in + blockIdx.x * 1024)[thread];  // @first
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    // @phase load
    reinterpret_cast<float4*>(tile)[thread] = next;  // @put
    const int ahead = t + gridDim.x;
    if (ahead < tiles) next = reinterpret_cast<const float4*>(in + ahead * 1024)[thread];  // @fetch
    __syncthreads();
    // @phase work
    for (int i = thread; i < 1024; i += 256) {
      const float sum = tile[i] + tile[(i + 1) % 1024];  // @add
      out[t * 1024 + i] = sum;                             // @store
    }
    __syncthreads();
  }
}
