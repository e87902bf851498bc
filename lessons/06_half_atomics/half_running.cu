#include <cuda_fp16.h>

// One thread adds up everything in half precision and writes down the sum after each addition. The
// threads of half_native do the same additions; only the order among them is not known.
__global__ void half_running(const __half* in, __half* running, int n) {
  // @phase add
  __half sum = __float2half(0.0f);
  for (int i = 0; i < n; ++i) {
    sum += in[i];      // @read
    running[i] = sum;  // @write
  }
}
