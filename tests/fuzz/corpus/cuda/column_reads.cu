// The other way round: the lanes of a warp read along a column and write along a row.
__global__ void column_reads(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  // @phase load
  const float value = in[x * n + y];
  // @phase store
  out[y * n + x] = value;
}
