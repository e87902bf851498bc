// A warp copies its 64 elements in two rounds: lane i takes elements i and i + 32 of them.
__global__ void pairs_apart(const float* in, float* out, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = thread % 32;
  const int i = thread / 32 * 64 + lane;
  if (i >= n) return;
  // @phase load
  const float first = in[i];
  const float second = in[i + 32];
  // @phase store
  out[i] = first;
  out[i + 32] = second;
}
