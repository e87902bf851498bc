// Transpose of a row-major matrix through a tile in shared memory; the tile's extra column keeps its banks apart.
// kernel: transpose<T, TILE>(out, in, width, height), one block of TILE × 8 threads for each tile
// run: --kernel 'transpose<float, 32>' --grid 4,3 --block 32,8 --arg f32[7000]=0 --arg f32[7000]=iota --arg i32=100 --arg i32=70
// run: --kernel 'transpose<short, 16>' --grid 3,2 --block 16,8 --arg i16[1000]=0 --arg i16[1000]=iota --arg i32=40 --arg i32=25

template <typename T, int TILE>
__global__ void transpose(T* __restrict__ out, const T* __restrict__ in, int width, int height) {
  __shared__ T tile[TILE][TILE + 1];

  const int column = blockIdx.x * TILE + threadIdx.x;
  for (int r = threadIdx.y; r < TILE; r += blockDim.y) {
    const int row = blockIdx.y * TILE + r;
    if (column < width && row < height) tile[r][threadIdx.x] = in[row * width + column];
  }
  __syncthreads();

  const int out_column = blockIdx.y * TILE + threadIdx.x;
  for (int r = threadIdx.y; r < TILE; r += blockDim.y) {
    const int out_row = blockIdx.x * TILE + r;
    if (out_column < height && out_row < width) out[out_row * height + out_column] = tile[threadIdx.x][r];
  }
}
