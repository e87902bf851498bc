// Two tiles in shared memory take turns. A warp that is ahead fills the other one, so the barrier before the work is enough:
// nobody passes it twice before everybody has passed it once.
__global__ void one_tile(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float tiles_of_block[2][1024];
  const int thread = threadIdx.x;
  int turn = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    float* tile = tiles_of_block[turn++ % 2];
    // @phase load
    const float4 four = reinterpret_cast<const float4*>(in + t * 1024)[thread];              // @fetch
    reinterpret_cast<float4*>(tile)[thread] = make_float4(four.x, four.y, four.z, four.w);  // @put
    __syncthreads();
    // @phase work
    for (int i = thread; i < 1024; i += 256) {
      const float sum = tile[i] + tile[(i + 1) % 1024];  // @add
      out[t * 1024 + i] = sum;                             // @store
    }
  }
}
