#include <cuda_fp16.h>

// Two neighbouring halves in one atomic. Both get the value: whatever stands beside a sum grows too.
// A __half2 starts on a multiple of 4 bytes; anything else ends the kernel with a misaligned address.
__global__ void half2_packed(const __half* in, __half2* pairs, int n, int bins) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  // @phase load
  __half value = __float2half(0.0f);
  for (int i = thread; i < n; i += threads) {
    value += in[i];  // @read
  }

  // @phase add
  atomicAdd(&pairs[thread % bins], __halves2half2(value, value));  // @atomic
}
