#pragma once
// Libraries to beat (kernels/libraries/*.cu): built by the CUDA Toolkit's nvcc where there is one, loaded at run time.
//
// Such a shared library exports, with C linkage:
//   int lanescope_library_run(void* scratch, size_t* scratch_bytes, const void* in, void* out, uint64_t count,
//                             void* stream)
//     one call into the library on the current context; without scratch it only sets *scratch_bytes; a cudaError_t
//   const char* lanescope_library_name()
//     the library with its version: "CUB 2.8.0"; a static string
//   int lanescope_library_prepare(void* scratch, size_t scratch_bytes, uint64_t count, void* stream)     (optional)
//     called once, untimed, before the first call with scratch: fills what is to be worked on; a cudaError_t

#include <cstdint>
#include <string>

#include "core/result.h"

namespace lanescope::gpu {

// Builds `source` for `arch` into `folder` and returns the shared library's path. Takes seconds. Diagnostics:
// gpu.no_nvcc (where to get it), gpu.library (nvcc's own words).
Result<std::string> build_library(const std::string& source, const std::string& arch, const std::string& folder);

// A loaded one. Throws nothing; stays loaded until the process ends.
struct Library {
  int (*run)(void* scratch, std::size_t* scratch_bytes, const void* in, void* out, std::uint64_t count,
             void* stream) = nullptr;
  int (*prepare)(void* scratch, std::size_t scratch_bytes, std::uint64_t count, void* stream) = nullptr;  // may be null
  std::string name;
};
Result<Library> load_library(const std::string& path);

}  // namespace lanescope::gpu
