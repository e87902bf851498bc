#pragma once
// Libraries to compare kernels with (kernels/libraries/*.cu). The CUDA Toolkit's nvcc builds them, if installed, and
// they are loaded at run time.
//
// Such a shared library exports, with C linkage:
//   int lanescope_library_run(void* scratch, size_t* scratch_bytes, const void* in, void* out, uint64_t count,
//                             void* stream)
//     calls the library on the current context; with a null `scratch` it only sets *scratch_bytes; returns a
//     cudaError_t
//   const char* lanescope_library_name()
//     the library and its version, such as "CUB 2.8.0"; a static string
//   int lanescope_library_prepare(void* scratch, size_t scratch_bytes, uint64_t count, void* stream)     (optional)
//     called once, untimed, before the first call with scratch; fills the input; returns a cudaError_t

#include <cstdint>
#include <string>

#include "core/result.h"

namespace lanescope::gpu {

// Builds `source` for `arch` in `folder` and returns the path of the shared library. Takes seconds. Diagnostics:
// gpu.no_nvcc (the cure says where to get it), gpu.library (with nvcc's output).
Result<std::string> build_library(const std::string& source, const std::string& arch, const std::string& folder);

// A loaded library. It stays loaded until the process ends.
struct Library {
  int (*run)(void* scratch, std::size_t* scratch_bytes, const void* in, void* out, std::uint64_t count,
             void* stream) = nullptr;
  int (*prepare)(void* scratch, std::size_t scratch_bytes, std::uint64_t count, void* stream) = nullptr;  // may be null
  std::string name;
};
Result<Library> load_library(const std::string& path);

}  // namespace lanescope::gpu
