#pragma once
// CUDA C++ → PTX through NVRTC, and PTX → SASS through nvJitLink/nvptxcompiler, both loaded at run
// time. No GPU and no installed toolkit needed; an installed toolkit is used where the bundled
// parts are missing.

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::compile {

// The libraries that were found, for `doctor` and the JSON's "compiler".
struct Toolchain {
  std::string nvrtc_path, nvrtc_version;              // "13.0.88"
  std::vector<std::string> include_paths;             // CUDA headers, CCCL
  std::string sass_compiler_path, disassembler_path;  // empty = not found
};
// Looks beside the executable, in LANESCOPE_DEPS, in the source tree's third_party/.fetched, in
// CUDA_HOME, /usr/local/cuda and the loader's path, in this order. Diagnostic toolchain.no_nvrtc
// when there is none, with how to get it.
Result<Toolchain> find_toolchain();

struct Source {
  std::string name;  // file name used in diagnostics and line tables
  std::string text;
  std::vector<std::string> include_paths;
};
struct Options {
  std::string arch = "sm_90";  // sm_75 … ; unknown ones are a diagnostic listing what there is
  std::vector<std::string> name_expressions;  // kernels wanted, source names: "reduce<float,4>"
  std::vector<std::string> defines;           // "NAME" or "NAME=VALUE"
  // Set it from another thread: the compilation is given up at the next point where NVRTC asks
  // (12.9 and newer; seldom more than a second), with compile.cancelled. No part of the request: it
  // may be null.
  const std::atomic<bool>* cancel = nullptr;
};
struct Ptx {
  std::string text;
  std::map<std::string, std::string>
      mangled;  // source name → mangled name, for each name expression
  std::string compiler_version;
  Diagnostics warnings;
};
// -lineinfo, C++17. The compiler's own errors come back as Diagnostics (code compile.error) on
// their line; errors in a header name the header and the line that included it. An unknown kernel
// name lists the kernels there are (compile.no_such_kernel). A request that was compiled before in
// this process (same source, options) comes from a cache.
Result<Ptx> compile(const Source& source, const Options& options);

// Kernels declared in a source (found in the PTX of plain compilation plus a scan for templates),
// source names.
Result<std::vector<std::string>> kernels_in(const Source& source, const Options& options);

// One SASS instruction.
struct SassInstruction {
  std::uint32_t address = 0;  // bytes from the kernel's start
  std::string text;           // "LDG.E R2, [R2.64]"
  std::string predicate;      // "@!P0" or empty
  std::string file;
  int line = 0;  // CUDA source; 0 = unknown
};
struct Sass {
  std::string kernel;  // mangled
  std::string arch;
  std::vector<SassInstruction> instructions;
  int registers_per_thread = 0;
  std::uint32_t shared_bytes = 0, local_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0;
  std::vector<std::uint8_t> cubin;
};
Result<Sass> to_sass(const std::string& ptx_text, const std::string& mangled_kernel,
                     const std::string& arch);

}  // namespace lanescope::compile
