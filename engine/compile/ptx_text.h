#pragma once
// What compile/ reads from PTX text: names.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

// The mangled names of the kernels, in order.
std::vector<std::string> kernels_in_ptx(const std::string& ptx);

struct FileNames {
  std::string compiled_as;                 // the source's name that NVRTC received
  std::string shown_as;                    // the source's name that the user knows
  std::vector<std::string> include_paths;  // CUDA headers are named relative to these
};
// NVRTC makes `.file` names absolute. This restores the source's name as in diagnostics, makes files below the current
// folder relative to it, and gives CUDA headers the names by which they are included.
std::string with_file_names(const std::string& ptx, const FileNames& names);

// The line table names `asm` statements over several lines as NVRTC for Linux does, on every system
// (host/asm_places.h). `name`: of the source in the PTX, after with_file_names().
std::string with_asm_places(const std::string& ptx, const std::string& name, std::string_view source);

}  // namespace lanescope::compile
