#pragma once
// The part of NVRTC's C interface that we use, as function pointers that are set when it is loaded, only in the
// compiler's process. Declared by hand from NVRTC's documentation, so that no CUDA header is needed to build.

#include <string>
#include <vector>

#include "core/os/dynamic_library.h"

namespace lanescope::compile {

struct Nvrtc {
  using Program = struct OpaqueNvrtcProgram*;
  using Code = int;  // 0 = success
  static constexpr Code success = 0;

  Code (*version)(int* major, int* minor) = nullptr;
  Code (*supported_arch_count)(int* count) = nullptr;
  Code (*supported_archs)(int* archs) = nullptr;
  Code (*create_program)(Program*, const char* source, const char* name, int headers, const char* const* contents,
                         const char* const* names) = nullptr;
  Code (*destroy_program)(Program*) = nullptr;
  Code (*add_name_expression)(Program, const char*) = nullptr;
  Code (*compile_program)(Program, int count, const char* const* options) = nullptr;
  Code (*lowered_name)(Program, const char* expression, const char** name) = nullptr;
  Code (*log_size)(Program, std::size_t*) = nullptr;
  Code (*log)(Program, char*) = nullptr;
  Code (*ptx_size)(Program, std::size_t*) = nullptr;
  Code (*ptx)(Program, char*) = nullptr;
  // May be null; present in CUDA 11 and newer.
  Code (*cubin_size)(Program, std::size_t*) = nullptr;
  Code (*cubin)(Program, char*) = nullptr;
  const char* (*error_string)(Code) = nullptr;
  // CUDA 12.9 and newer; may be null. The callback returns 1 to cancel the compilation.
  Code (*set_flow_callback)(Program, int (*callback)(void*, void*), void* payload) = nullptr;

  DynamicLibrary library;
  int major = 0, minor = 0;
  std::vector<int> architectures;  // 75, 80, …

  // Loads the library at `path` and the builtins library beside it, once per path. Thread-safe. Returns null if it
  // cannot be loaded or lacks a function; `reason` then tells why.
  static const Nvrtc* load(const std::string& path, std::string& reason);
};

}  // namespace lanescope::compile
