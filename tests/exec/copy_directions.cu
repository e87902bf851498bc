// Copies 16 bytes between each two kinds of memory by each call and direction, and prints the error and what arrived.
// The output must be the same on a GPU, built with `nvcc copy_directions.cu -lcuda`, and under
// `lanescope exec --nvcc=-lcuda copy_directions.cu`.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime.h>

constexpr size_t bytes = 16;
constexpr int kinds_of_memory = 4;
const char* const names[kinds_of_memory] = {"pageable", "pinned", "device", "managed"};
const cudaMemcpyKind directions[] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                     cudaMemcpyDeviceToDevice, cudaMemcpyDefault};

__constant__ int symbol[4];

__global__ void show(int* out) {
  for (int i = 0; i < 4; ++i) out[i] = symbol[i];
}

struct Memory {
  int* of[kinds_of_memory];
  Memory() {
    of[0] = static_cast<int*>(std::malloc(4096));
    cudaMallocHost(&of[1], 4096);
    cudaMalloc(&of[2], 4096);
    cudaMallocManaged(&of[3], 4096);
  }
  ~Memory() {
    std::free(of[0]);
    cudaFreeHost(of[1]);
    cudaFree(of[2]);
    cudaFree(of[3]);
  }
  void set(int kind, int value) {
    const int values[4] = {value, value, value, value};
    cudaMemcpy(of[kind], values, bytes, cudaMemcpyDefault);
    cudaDeviceSynchronize();
  }
  int get(int kind) {
    int values[4];
    cudaMemcpy(values, of[kind], bytes, cudaMemcpyDefault);
    return values[0];
  }
};

void plain_copies(Memory& to, Memory& from) {
  const char* const calls[] = {"memcpy", "async", "2d"};
  for (int call = 0; call < 3; ++call)
    for (const cudaMemcpyKind direction : directions)
      for (int t = 0; t < kinds_of_memory; ++t)
        for (int f = 0; f < kinds_of_memory; ++f) {
          to.set(t, 1), from.set(f, 2);
          const cudaError_t error = call == 0   ? cudaMemcpy(to.of[t], from.of[f], bytes, direction)
                                    : call == 1 ? cudaMemcpyAsync(to.of[t], from.of[f], bytes, direction, 0)
                                                : cudaMemcpy2D(to.of[t], bytes, from.of[f], bytes, bytes, 1, direction);
          const cudaError_t later = cudaDeviceSynchronize();
          cudaGetLastError();
          std::printf("%s kind %d to %s from %s: %s %s -> %d\n", calls[call], direction, names[t], names[f],
                      cudaGetErrorName(error), cudaGetErrorName(later), to.get(t));
        }
}

void copies_of_symbols(Memory& to, Memory& from) {
  const int zeros[4] = {}, sevens[4] = {7, 7, 7, 7};
  for (const cudaMemcpyKind direction : directions)
    for (int f = 0; f < kinds_of_memory; ++f) {
      cudaMemcpyToSymbol(symbol, zeros, bytes);
      from.set(f, 5);
      cudaError_t error = cudaMemcpyToSymbol(symbol, from.of[f], bytes, 0, direction);
      cudaGetLastError();
      show<<<1, 1>>>(to.of[2]);
      std::printf("tosymbol kind %d from %s: %s %s -> %d\n", direction, names[f], cudaGetErrorName(error),
                  cudaGetErrorName(cudaDeviceSynchronize()), to.get(2));
      from.set(f, 1);
      cudaMemcpyToSymbol(symbol, sevens, bytes);
      error = cudaMemcpyFromSymbol(from.of[f], symbol, bytes, 0, direction);
      cudaGetLastError();
      std::printf("fromsymbol kind %d to %s: %s -> %d\n", direction, names[f], cudaGetErrorName(error), from.get(f));
    }
}

void copies_of_the_driver(Memory& to, Memory& from) {
  const char* const calls[] = {"HtoD", "DtoH", "DtoD", "cuMemcpy"};
  for (int t = 0; t < kinds_of_memory; ++t)
    for (int f = 0; f < kinds_of_memory; ++f)
      for (int call = 0; call < 4; ++call) {
        to.set(t, 1), from.set(f, 2);
        const auto target = reinterpret_cast<CUdeviceptr>(to.of[t]), source = reinterpret_cast<CUdeviceptr>(from.of[f]);
        const CUresult error = call == 0   ? cuMemcpyHtoD(target, from.of[f], bytes)
                               : call == 1 ? cuMemcpyDtoH(to.of[t], source, bytes)
                               : call == 2 ? cuMemcpyDtoD(target, source, bytes)
                                           : cuMemcpy(target, source, bytes);
        std::printf("%s to %s from %s: %d -> %d\n", calls[call], names[t], names[f], error, to.get(t));
      }
}

int main() {
  Memory to, from;
  plain_copies(to, from);
  copies_of_symbols(to, from);
  copies_of_the_driver(to, from);
  for (int t = 0; t < kinds_of_memory; ++t) {
    const cudaError_t error = cudaMemset(to.of[t], 0, bytes);
    cudaGetLastError();
    std::printf("memset %s: %s\n", names[t], cudaGetErrorName(error));
  }
}
