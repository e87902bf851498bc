__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

// Four floats per load: a float4 is 16 neighbouring bytes. n is a multiple of 4.
__global__ void packed(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[32];
  const int t = threadIdx.x;
  const int lane = t % 32, warp = t / 32, warps = blockDim.x / 32;

  // @phase load
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 four = reinterpret_cast<const float4*>(in)[i];
    sum += four.x + four.y + four.z + four.w;
  }

  // @phase reduce
  sum = warp_sum(sum);

  // @phase combine
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < warps ? warp_sums[lane] : 0.0f);

  // @phase store
  if (t == 0) block_sums[blockIdx.x] = sum;
}
