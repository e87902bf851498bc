// Four neighbouring elements a load. A thread adds up its own four before anything is handed on, then
// takes the next four one grid further on. n must be a multiple of 4.
__global__ void packed(const float4* in, float* block_sums, int n) {
  __shared__ float warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 four = in[i];                 // @read
    sum += four.x + four.y + four.z + four.w;  // @add
  }

  // @phase reduce
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);  // @shuffle
  }

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;  // @hand_over
  __syncthreads();                       // @wait
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : 0.0f;  // @collect
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
  }

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;  // @write
}
