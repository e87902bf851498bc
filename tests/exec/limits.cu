// Limits of the device: what is answered, and what they change.
#include <cstdio>
__global__ void holds(int bytes) {
  char* p = (char*)malloc(bytes);
  printf("%s\n", p ? "held" : "null");
  free(p);
}
__device__ __noinline__ int deep(int n, int* in) {
  int a[16];
  for (int i = 0; i < 16; ++i) a[i] = in[(i + n) & 31];
  a[n & 15] += n;
  if (n == 0) return a[in[0] & 15];
  int below = deep(n - 1, in);
  return below + a[(below + n) & 15];
}
__global__ void recurse(int* out, int* in, int n) { out[threadIdx.x] = deep(n, in); }
static void show(const char* what) {
  std::size_t stack = 0, fifo = 0, heap = 0;
  cudaDeviceGetLimit(&stack, cudaLimitStackSize);
  cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize);
  cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
  printf("%s: stack %zu, printf %zu, heap %zu\n", what, stack, fifo, heap);
}
#define TRY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
int main() {
  show("at first");
  TRY(cudaDeviceSetLimit(cudaLimitStackSize, 1000));
  show("after it");
  TRY(cudaDeviceSetLimit(cudaLimitStackSize, 4097));
  show("after it");
  TRY(cudaDeviceSetLimit(cudaLimitStackSize, std::size_t{1} << 40));
  show("after it");
  TRY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (64 << 20) + 1));
  show("after it");
  TRY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 100000));
  show("after it");
  TRY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16 << 20));
  show("after it");
  TRY(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1));
  TRY(cudaGetLastError());
  holds<<<1, 1>>>(20 << 20);
  TRY(cudaDeviceSynchronize());
  TRY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 << 20));
  TRY(cudaGetLastError());
  TRY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 32 << 20));
  show("after it");
  TRY(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  int *in, *out;
  cudaMallocManaged(&in, 128);
  cudaMallocManaged(&out, 128);
  for (int i = 0; i < 32; ++i) in[i] = i * 7 % 5;
  recurse<<<1, 32>>>(out, in, 60);
  TRY(cudaDeviceSynchronize());
  printf("%d %d\n", out[0], out[31]);
  TRY(cudaDeviceReset());
  show("after a reset");
  holds<<<1, 1>>>(20 << 20);
  TRY(cudaDeviceSynchronize());
}
