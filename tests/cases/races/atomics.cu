// Litmus kernels of atomics of several sizes: half-precision ones act on each half.
#include <cuda_fp16.h>

// run: --grid 2 --block 32 --arg f16[2]=0
// verdict: safe
__global__ void halves(__half* sum) { atomicAdd(sum + threadIdx.x % 2, __float2half(1.0f)); }

// run: --grid 2 --block 32 --arg f16[2]=0
// verdict: safe
__global__ void pairs(__half2* sum) { atomicAdd(sum, __float2half2_rn(1.0f)); }

// A pair is two halves, each atomic for itself.
// run: --grid 2 --block 32 --arg f16[2]=0
// verdict: safe
__global__ void pairs_and_halves(__half* sum) {
  if (threadIdx.x % 2 == 0) atomicAdd(reinterpret_cast<__half2*>(sum), __float2half2_rn(1.0f));
  else atomicAdd(sum + 1, __float2half(1.0f));
}

// The neighbour within the word is another location.
// run: --grid 1 --block 64 --arg f16[2]=0
// verdict: safe
__global__ void half_beside_a_store(__half* sum) {
  if (threadIdx.x == 0) sum[0] = __float2half(3.0f);
  if (threadIdx.x >= 32) atomicAdd(sum + 1, __float2half(1.0f));
}

// run: --grid 1 --block 64 --arg f16[2]=0
// verdict: atomic_plain __syncthreads()
__global__ void pair_over_a_store(__half* sum) {
  if (threadIdx.x == 0) sum[0] = __float2half(3.0f);
  if (threadIdx.x >= 32) atomicAdd(reinterpret_cast<__half2*>(sum), __float2half2_rn(1.0f));
}

// Atomics on a word and on the double word around it are not atomic to each other.
// run: --grid 1 --block 64 --arg u32[2]=0
// verdict: write_write __syncthreads()
__global__ void words_and_double_words(unsigned* sum) {
  if (threadIdx.x == 0) atomicAdd(reinterpret_cast<unsigned long long*>(sum), 1ull);
  if (threadIdx.x == 32) atomicAdd(sum, 1u);
}
