// A block takes one tile of 1,024 floats at a time: into shared memory, wait, work, wait. While it loads, nobody works; while
// it works, nothing is loaded.
__global__ void one_tile(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float tile[1024];
  const int thread = threadIdx.x;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    // @phase load
    const float4 four = reinterpret_cast<const float4*>(in + t * 1024)[thread];              // @fetch
    reinterpret_cast<float4*>(tile)[thread] = make_float4(four.x, four.y, four.z, four.w);  // @put
    __syncthreads();
    // @phase work
    for (int i = thread; i < 1024; i += 256) {
      const float sum = tile[i] + tile[(i + 1) % 1024];  // @add
      out[t * 1024 + i] = sum;                             // @store
    }
    __syncthreads();
  }
}
