// Thirty-two lanes add the same tiny number, by three roads: sums[0] by atomics in global memory,
// sums[1] by atomics in shared memory, sums[2] by shuffles and plain additions.
__global__ void subnormals(float* sums, float tiny) {
  __shared__ float in_shared;
  if (threadIdx.x == 0) in_shared = 0.0f;
  __syncthreads();

  // @phase reduce
  atomicAdd(&sums[0], tiny);    // @global
  atomicAdd(&in_shared, tiny);  // @shared
  float sum = tiny;
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);  // @shuffle
  }

  // @phase store
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[1] = in_shared;
    sums[2] = sum;
  }
}
