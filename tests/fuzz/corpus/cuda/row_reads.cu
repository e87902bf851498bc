// Each thread moves one element of an n × n matrix to its mirrored place. The 32 lanes of a warp read
// along a row, so they have to write along a column.
__global__ void row_reads(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  // @phase load
  const float value = in[y * n + x];
  // @phase store
  out[x * n + y] = value;
}
