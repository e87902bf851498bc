// 32 × 8 threads move a tile of 32 × 32: each takes the elements y, y + 8, y + 16 and y + 24 of its
// column, at the load and at the store.
__global__ void padded(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  // @phase load
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    tile[y][x] = in[(top + y) * n + left + x];
  }
  __syncthreads();
  // @phase store
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    out[(left + y) * n + top + x] = tile[x][y];  // @column
  }
}
