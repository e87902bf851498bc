// Code that a program loads by itself through the runtime's API (cudaLibrary…). The output must be the same on a GPU,
// built with `nvcc libraries.cu -lcuda`, and under `lanescope exec --nvcc=-lcuda libraries.cu`.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}
void tell(const char* what, CUresult error) {
  const char* name = "";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", what, name);
}

const std::string code = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .const .align 4 .u32 factor = 10;
.global .attribute(.managed) .align 8 .u64 shared_with_host = 5;
.visible .entry scale(.param .u64 to) {
  .reg .u64 %rd<4>; .reg .u32 %r<6>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, table;
  add.u64 %rd3, %rd3, %rd2;
  ld.global.u32 %r2, [%rd3];
  ld.const.u32 %r3, [factor];
  mul.lo.u32 %r4, %r2, %r3;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r4;
  ret;
}
.visible .entry nothing() { ret; }
)";

void results(const char* what, const int* from) {
  int here[4] = {};
  tell(what, cudaMemcpy(here, from, sizeof here, cudaMemcpyDeviceToHost));
  std::printf("%d %d %d %d\n", here[0], here[1], here[2], here[3]);
}

void use(cudaLibrary_t library) {
  unsigned count = 99;
  tell("count", cudaLibraryGetKernelCount(&count, library));
  std::printf("%u\n", count);
  std::vector<cudaKernel_t> kernels(count + 1);
  tell("list", cudaLibraryEnumerateKernels(kernels.data(), count, library));
  cudaKernel_t scale = nullptr, none = nullptr;
  tell("kernel", cudaLibraryGetKernel(&scale, library, "scale"));
  std::printf("it is listed: %d\n", scale == kernels[0] || scale == kernels[1]);
  tell("a kernel that is not there", cudaLibraryGetKernel(&none, library, "other"));
  tell("no name", cudaLibraryGetKernel(&none, library, nullptr));
  tell("no place", cudaLibraryGetKernel(nullptr, library, "scale"));
  int* to = nullptr;
  cudaMalloc(&to, 4 * sizeof *to);
  void* arguments[] = {&to};
  tell("launch", cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3(1), dim3(4), arguments, 0, nullptr));
  results("results", to);
  void* table = nullptr;
  size_t bytes = 0;
  tell("variable", cudaLibraryGetGlobal(&table, &bytes, library, "table"));
  std::printf("%zu bytes\n", bytes);
  const int others[] = {5, 6, 7, 8};
  tell("write to it", cudaMemcpy(table, others, sizeof others, cudaMemcpyHostToDevice));
  const cudaLaunchConfig_t config{dim3(1), dim3(4), 0, nullptr, nullptr, 0};
  tell("launch", cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(scale), arguments));
  results("results", to);
  void* factor = nullptr;
  tell("constant", cudaLibraryGetGlobal(&factor, &bytes, library, "factor"));
  const int three = 3;
  tell("write to it", cudaMemcpy(factor, &three, sizeof three, cudaMemcpyHostToDevice));
  cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3(1), dim3(4), arguments, 0, nullptr);
  results("results", to);
  void* nowhere = nullptr;
  tell("a variable that is not there", cudaLibraryGetGlobal(&nowhere, &bytes, library, "other"));
  tell("only the size", cudaLibraryGetGlobal(nullptr, &bytes, library, "table"));
  void* shared = nullptr;
  tell("managed variable", cudaLibraryGetManaged(&shared, &bytes, library, "shared_with_host"));
  std::printf("%zu bytes, value %lld\n", bytes, shared == nullptr ? -1 : *static_cast<long long*>(shared));
  tell("one that is not managed", cudaLibraryGetManaged(&nowhere, &bytes, library, "table"));
  void* function = nullptr;
  tell("unified function", cudaLibraryGetUnifiedFunction(&function, library, "scale"));
  cudaFuncAttributes attributes{};
  tell("attributes", cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(scale)));
  std::printf("%d threads at most, %zu bytes of shared memory\n", attributes.maxThreadsPerBlock, attributes.sharedSizeBytes);
  CUfunction of_driver = nullptr;
  tell("the driver's function", cuKernelGetFunction(&of_driver, reinterpret_cast<CUkernel>(scale)));
  tell("launch it", cuLaunchKernel(of_driver, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  results("results", to);
  cudaFree(to);
}

int main() {
  cudaLibrary_t library = nullptr;
  tell("load", cudaLibraryLoadData(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  use(library);
  tell("unload", cudaLibraryUnload(library));
  tell("no code", cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  tell("no place", cudaLibraryLoadData(nullptr, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  tell("no file", cudaLibraryLoadFromFile(&library, "no_such_file.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  const char* path = "libraries_test.ptx";
  std::ofstream(path) << code;
  tell("load a file", cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
  std::remove(path);
  unsigned count = 0;
  tell("count", cudaLibraryGetKernelCount(&count, library));
  std::printf("%u\n", count);
  tell("unload", cudaLibraryUnload(library));
  tell("at last", cudaDeviceSynchronize());
}
