#pragma once
// Compiles a .cu file with main() into a program, with the nvcc of a CUDA Toolkit or of the packages from
// third_party/fetch nvcc, and the machine's g++. The program contains PTX for one architecture and line information,
// and uses the CUDA runtime as a shared library.

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
// Searches the places of locate_toolchain(), then PATH. Codes: toolchain.no_nvcc, toolchain.no_host_compiler (g++).
Result<LocatedNvcc> locate_nvcc(const SearchPlaces& places);
Result<LocatedNvcc> locate_nvcc();

struct ProgramSource {
  std::string file;
  std::string arch = "sm_90";
  std::vector<std::string> include_paths;
  std::vector<std::string> defines = {};  // as in Source
  std::string standard;                   // "c++20"; empty: nvcc's default
  std::vector<std::string> further;       // further options for nvcc
  // The folder of libcudart.so.MAJOR, against which the program is linked.
  std::string runtime_folder;
  std::function<bool()> stop = {};  // whether to end nvcc, and all that it started, at once
};

// A temporary folder; the destructor removes it with its contents.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }  // empty: it could not be created

 private:
  std::filesystem::path path_;
};

struct BuiltProgram {
  std::string path;  // in `folder`
  std::unique_ptr<ScratchFolder> folder;
  Diagnostics warnings;
};
// What to do when nvcc fails without an error in the source; `log` is what it said.
Wording cure_of_nvcc(const std::string& log);
// Takes seconds. Codes besides those above: compile.error, compile.bad_define, compile.missing_include,
// compile.link_error, compile.too_slow, compile.stopped, compile.nvcc (errors of nvcc itself), io.cannot_write.
Result<BuiltProgram> build_program(const ProgramSource& source);

// Turns the output of nvcc, its parts and the host compiler into diagnostics in the learner's terms. `text`: the
// file's.
Diagnostics diagnose_nvcc(const std::string& log, const ProgramSource& source, const std::string& text);

}  // namespace lanescope::compile
