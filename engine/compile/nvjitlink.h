#pragma once
// The part of nvJitLink's C interface that we use (PTX → cubin), declared by hand from its documentation.

#include <string>

#include "core/os/dynamic_library.h"

namespace lanescope::compile {

struct NvJitLink {
  using Handle = struct OpaqueNvJitLink*;
  using Code = int;  // 0 = success
  static constexpr Code success = 0, unrecognised_option = 1, unrecognised_arch = 16, unsupported_arch = 17;
  static constexpr int input_ptx = 2;

  Code (*create)(Handle*, std::uint32_t count, const char** options) = nullptr;
  Code (*destroy)(Handle*) = nullptr;
  Code (*add_data)(Handle, int type, const void* data, std::size_t size, const char* name) = nullptr;
  Code (*complete)(Handle) = nullptr;
  Code (*cubin_size)(Handle, std::size_t*) = nullptr;
  Code (*cubin)(Handle, void*) = nullptr;
  Code (*error_log_size)(Handle, std::size_t*) = nullptr;
  Code (*error_log)(Handle, char*) = nullptr;
  Code (*info_log_size)(Handle, std::size_t*) = nullptr;
  Code (*info_log)(Handle, char*) = nullptr;

  DynamicLibrary library;

  // Loads the library at `path`, once per path. Thread-safe. Returns null if it cannot be used; `reason` then tells
  // why.
  static const NvJitLink* load(const std::string& path, std::string& reason);
};

}  // namespace lanescope::compile
