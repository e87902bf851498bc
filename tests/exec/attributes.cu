// cudaFuncGetAttributes for kernels that differ in attributes that only ptxas knows.
#include <cstdio>

__constant__ int table[100];

#ifdef LONG_TEXT  // more than half a MiB of PTX
#define EIGHT(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
__device__ unsigned filler[] = {EIGHT(EIGHT(EIGHT(EIGHT(EIGHT(123456789, 123456789, 123456789)))))};
#endif

__global__ void small(int* out) {
  out[threadIdx.x] = table[threadIdx.x];
}

// An array with an index that is known only at run time is in local memory.
__global__ void framed(int* out, int at) {
  int own[64];
  for (int i = 0; i < 64; ++i) own[i] = out[i] * at;
  for (int i = 0; i < 64; ++i) out[i] = own[out[i] & 63];
}

// Keeps 96 values at a time.
__global__ void wide(double* out) {
  double held[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) held[i] = out[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 96; ++i) out[i * 32 + threadIdx.x] = held[95 - i] - 2 * held[i];
}

// A barrier whose number is in a register takes all 16 of a block, and a multiprocessor has 64.
__global__ void named(int* out, int number) {
  asm volatile("bar.sync %0, 256;" ::"r"(number) : "memory");
  out[threadIdx.x] = number;
}

template <typename Kernel>
void tell(const char* name, Kernel* kernel) {
  cudaFuncAttributes of;
  int blocks = 0;
  cudaFuncGetAttributes(&of, kernel);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0);
  std::printf("%s %d %d %d %d %d\n", name, of.numRegs, static_cast<int>(of.localSizeBytes),
              static_cast<int>(of.constSizeBytes), of.maxThreadsPerBlock, blocks);
}

int main() {
  tell("small", small);
  tell("framed", framed);
  tell("wide", wide);
  tell("named", named);
}
