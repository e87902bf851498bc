// A block moves a tile of 32 × 32 elements by way of shared memory: in along rows, out along rows.
// The turn is made in between, where the tile is read by columns.
__global__ void tiled(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  // @phase load
  const float value = in[(top + y) * n + left + x];
  tile[y][x] = value;
  __syncthreads();
  // @phase store
  const float turned = tile[x][y];  // @column
  out[(left + y) * n + top + x] = turned;
}
