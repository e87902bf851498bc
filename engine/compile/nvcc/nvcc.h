#pragma once
// A .cu with main() → a program, by the nvcc of a CUDA Toolkit or of the packages that third_party/fetch nvcc brings,
// and the machine's g++. The program has PTX of one architecture, line information, and the CUDA runtime as a shared
// library.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/toolchain.h"
#include "core/result.h"

namespace lanescope::compile {

struct LocatedNvcc {
  std::string path;
  int major = 0, minor = 0;
};
// In the places of locate_toolchain(), then in PATH. Codes: toolchain.no_nvcc, toolchain.no_host_compiler (g++).
Result<LocatedNvcc> locate_nvcc(const SearchPlaces& places);
Result<LocatedNvcc> locate_nvcc();

struct ProgramSource {
  std::string file;
  std::string arch = "sm_90";
  std::vector<std::string> include_paths;
  std::string standard;              // "c++20"; empty: nvcc's own
  std::vector<std::string> further;  // options as nvcc knows them
  // Has libcudart.so.MAJOR, which the program is linked against.
  std::string runtime_folder;
  std::function<bool()> stop = {};  // whether to end nvcc, and all that it started, at once
};

// Removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }  // empty: none could be made

 private:
  std::filesystem::path path_;
};

struct BuiltProgram {
  std::string path;  // in `folder`
  std::unique_ptr<ScratchFolder> folder;
  Diagnostics warnings;
};
// Takes seconds. Codes, besides those above: compile.error, compile.missing_include, compile.link_error,
// compile.too_slow, compile.stopped, compile.nvcc (what nvcc itself complains of), io.cannot_write.
Result<BuiltProgram> build_program(const ProgramSource& source);

// What nvcc, its parts and the host compiler printed, as diagnostics in the learner's terms. `text`: the file's.
Diagnostics diagnose_nvcc(const std::string& log, const ProgramSource& source, const std::string& text);

}  // namespace lanescope::compile
