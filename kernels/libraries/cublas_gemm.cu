// cuBLAS's product of two square matrices of halves, added up and stored as floats: a library to beat, as a shared library
// that `lanescope record` builds with nvcc where one is. cuBLAS is loaded when it is called, as libcublas.so.13 or .12, so
// that it need not be there to build.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

// The few names of cublas_v2.h that are needed, with its values.
constexpr int operation_none = 0, type_f16 = 2, type_f32 = 0, compute_f32 = 68, algorithm_default = -1;
constexpr std::size_t workspace_bytes = 32u << 20;  // what NVIDIA recommends for this architecture

struct Cublas {
  using Handle = void*;
  int (*create)(Handle*) = nullptr;
  int (*set_stream)(Handle, cudaStream_t) = nullptr;
  int (*set_workspace)(Handle, void*, std::size_t) = nullptr;
  int (*property)(int, int*) = nullptr;
  int (*gemm)(Handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*,
              void*, int, int, int, int) = nullptr;
  Handle handle = nullptr;

  template <typename Function>
  static bool find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
  }

  bool load() {
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12"})
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return library && find(library, "cublasCreate_v2", create) && find(library, "cublasSetStream_v2", set_stream) &&
           find(library, "cublasSetWorkspace_v2", set_workspace) && find(library, "cublasGetProperty", property) &&
           find(library, "cublasGemmEx", gemm);
  }
};

Cublas* cublas() {
  static Cublas loaded;
  static const bool there = loaded.load();
  return there ? &loaded : nullptr;
}

struct Matrices {
  __half *a, *b;
  float* c;
  void* workspace;
};

Matrices matrices_in(void* scratch, std::uint64_t n) {
  auto* a = static_cast<__half*>(scratch);
  auto* c = reinterpret_cast<float*>(a + 2 * n * n);
  return {a, a + n * n, c, c + n * n};
}

// Numbers from 0 to below 1, as the lesson's: how fast a GPU multiplies depends on what it multiplies.
__global__ void fill(__half* to, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    std::uint32_t bits = static_cast<std::uint32_t>(i) * 2654435761u;
    bits ^= bits >> 15, bits *= 2246822519u, bits ^= bits >> 13;
    to[i] = __float2half(static_cast<float>(bits >> 21) / 2048.0f);
  }
}

}  // namespace

// C = A · B for matrices of `count` rows, stored row by row. cuBLAS stores by columns: there it is Cᵀ = Bᵀ · Aᵀ.
extern "C" int lanescope_library_run(void* scratch, std::size_t* scratch_bytes, const void*, void*, std::uint64_t count,
                                     void* stream) {
  if (!cublas()) return cudaErrorSharedObjectInitFailed;
  if (!scratch) {
    *scratch_bytes = count * count * (2 * sizeof(__half) + sizeof(float)) + workspace_bytes;
    return cudaSuccess;
  }
  const Matrices matrices = matrices_in(scratch, count);
  const int n = static_cast<int>(count);
  const float one = 1, zero = 0;
  Cublas& to = *cublas();
  const bool done =
      (to.handle || to.create(&to.handle) == 0) &&
      to.set_stream(to.handle, static_cast<cudaStream_t>(stream)) == 0 &&
      to.set_workspace(to.handle, matrices.workspace, workspace_bytes) == 0 &&
      to.gemm(to.handle, operation_none, operation_none, n, n, n, &one, matrices.b, type_f16, n, matrices.a, type_f16, n,
              &zero, matrices.c, type_f32, n, compute_f32, algorithm_default) == 0;
  return done ? cudaSuccess : cudaErrorUnknown;
}

extern "C" int lanescope_library_prepare(void* scratch, std::size_t, std::uint64_t count, void* stream) {
  fill<<<1024, 256, 0, static_cast<cudaStream_t>(stream)>>>(matrices_in(scratch, count).a, 2 * count * count);
  return cudaGetLastError();
}

// Asked of the library alone: naming it needs no GPU.
extern "C" const char* lanescope_library_name() {
  static const std::string name = [] {
    std::string made = "cuBLAS";
    for (int part = 0; cublas() && part < 3; ++part) {  // major, minor, patch
      int value = 0;
      if (cublas()->property(part, &value) == 0) made += (part == 0 ? " " : ".") + std::to_string(value);
    }
    return made;
  }();
  return name.c_str();
}
