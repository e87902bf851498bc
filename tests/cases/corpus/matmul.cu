// C = alpha × A × B + beta × C, tile by tile through shared memory; sizes need not be multiples of the tile.
// kernel: matmul<T>(a, b, c, m, n, k, alpha, beta), blocks of 16 × 16 threads over c (m × n)
// run: --kernel 'matmul<float>' --grid 3,4 --block 16,16 --arg f32[1850]=random:1 --arg f32[1665]=random:2 --arg f32[2250]=1 --arg i32=50 --arg i32=45 --arg i32=37 --arg f32=1 --arg f32=0.5
// run: --kernel 'matmul<double>' --grid 2,2 --block 16,16 --arg f64[640]=random:3 --arg f64[640]=random:4 --arg f64[1024]=0 --arg i32=32 --arg i32=32 --arg i32=20 --arg f64=2 --arg f64=0

constexpr int TILE = 16;

template <typename T>
__global__ void __launch_bounds__(TILE * TILE)
    matmul(const T* a, const T* b, T* c, int m, int n, int k, T alpha, T beta) {
  __shared__ T tile_a[TILE][TILE];
  __shared__ T tile_b[TILE][TILE];

  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * TILE + x;
  const int row = blockIdx.y * TILE + y;

  T sum = 0;
  for (int first = 0; first < k; first += TILE) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : T(0);
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) {
    const int at = row * n + column;
    c[at] = alpha * sum + beta * c[at];
  }
}
