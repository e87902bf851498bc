// Kernels that launch kernels: nvcc -rdc=true. Each line that is printed follows from the sums below.
#include <cstdio>

__global__ void add(int* to, int value) {
  atomicAdd(&to[threadIdx.x], value + static_cast<int>(blockIdx.x));
}

// Its children's sums: blocks 0 and 1 add depth and depth + 1 to four elements each; the second child adds 100 twice to
// each of its two columns, in two blocks.
__global__ void nest(int* to, int depth) {
  if (threadIdx.x != 0) return;
  to[5] = 7;
  add<<<2, 4>>>(to, depth);
  if (depth < 2) nest<<<1, 32>>>(to, depth + 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  add<<<dim3(1, 2), dim3(2, 2), 64, stream>>>(to, 100);
  cudaStreamDestroy(stream);
  if (cudaGetLastError() != cudaSuccess) printf("a launch failed\n");
}

__global__ void append(char* text, int* length, char letter) {
  text[(*length)++] = letter;
}

// b comes after a, which the stream orders; z after everything that `order` launched, and its children.
__global__ void order(char* text, int* length) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(text, length, 'z');
  append<<<1, 1>>>(text, length, 'a');
  append<<<1, 1>>>(text, length, 'b');
}

struct Many {
  double first;
  char rest[1000];
  int last;
};
__global__ void take(Many many, double* to) {
  *to = many.first + many.last + many.rest[999];
}
__global__ void pass(double* to) {
  Many many{};
  many.first = 0.5, many.rest[999] = 3, many.last = 40;
  take<<<1, 1>>>(many, to);
}

__global__ void each_thread(int* to) {
  add<<<1, 1>>>(to + threadIdx.x, 1);
}

int main(int argc, char**) {
  int* memory;
  char* text;
  double* sum;
  cudaMallocManaged(&memory, 1024 * sizeof(int));
  cudaMallocManaged(&text, 16);
  cudaMallocManaged(&sum, sizeof(double));
  nest<<<1, 32>>>(memory, 0);
  std::printf("%s:", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 6; ++i) std::printf(" %d", memory[i]);
  order<<<1, 1>>>(text, memory + 8);
  std::printf("\n%s: ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", text);
  pass<<<1, 1>>>(sum);
  std::printf("%s: ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%g\n", *sum);
  each_thread<<<1, 1000>>>(memory + 16);
  std::printf("%s:", cudaGetErrorName(cudaDeviceSynchronize()));
  int right = 0;
  for (int i = 0; i < 1000; ++i) right += memory[16 + i] == 1;
  std::printf(" %d\n", right);
  if (argc > 1) {  // a child writes where nothing is
    order<<<1, 1>>>(reinterpret_cast<char*>(memory) + (1 << 26), memory + 8);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
  cudaFree(sum);
  cudaFree(text);
  cudaFree(memory);
  return 0;
}
