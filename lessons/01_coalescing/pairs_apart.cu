// Each lane copies the two neighbours 2i and 2i + 1, one at a time. It looks like vectorised code,
// but each of the four accesses leaves a gap between every two lanes.
__global__ void pairs_apart(const float* in, float* out, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  // @phase load
  const float first = in[i];       // @load1
  const float second = in[i + 1];  // @load2
  // @phase store
  out[i] = first;       // @store1
  out[i + 1] = second;  // @store2
}
