// Compiles a kernel for a real architecture, as packages do that load machine code: compiled_by_nvrtc PATH_OF_NVRTC.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <vector>

static const char* source = R"(extern "C" __global__ void triple(int* of) { of[threadIdx.x] *= 3; })";

int main(int argc, char** argv) {
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (library == nullptr) return 2;
  const auto create = reinterpret_cast<int (*)(void**, const char*, const char*, int, void*, void*)>(dlsym(library, "nvrtcCreateProgram"));
  const auto compile = reinterpret_cast<int (*)(void*, int, const char* const*)>(dlsym(library, "nvrtcCompileProgram"));
  const auto size = reinterpret_cast<int (*)(void*, size_t*)>(dlsym(library, "nvrtcGetCUBINSize"));
  const auto get = reinterpret_cast<int (*)(void*, char*)>(dlsym(library, "nvrtcGetCUBIN"));
  void* program = nullptr;
  const char* const options[] = {"-arch=sm_90"};
  size_t bytes = 0;
  if (create(&program, source, "triple.cu", 0, nullptr, nullptr) != 0 || compile(program, 1, options) != 0 || size(program, &bytes) != 0) return 3;
  std::vector<char> image(bytes);
  if (get(program, image.data()) != 0) return 4;
  int* memory = nullptr;
  cudaMallocManaged(&memory, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) memory[i] = i;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  void* arguments[] = {&memory};
  const int loaded = cuModuleLoadData(&module, image.data());
  const int found = cuModuleGetFunction(&kernel, module, "triple");
  const int launched = cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr);
  cudaDeviceSynchronize();
  std::printf("%d %d %d: %d %d %d %d\n", loaded, found, launched, memory[0], memory[1], memory[2], memory[3]);
  cudaFree(memory);
  return 0;
}
