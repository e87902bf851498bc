#pragma once
// What compile/ needs to know of PTX as text: the names in it.

#include <string>
#include <vector>

namespace lanescope::compile {

// The mangled names of the kernels, in order.
std::vector<std::string> kernels_in_ptx(const std::string& ptx);

struct FileNames {
  std::string compiled_as;                 // the source's name as NVRTC was given it
  std::string shown_as;                    // the name the user knows it by
  std::vector<std::string> include_paths;  // CUDA headers are named relative to these
};
// NVRTC makes the names of `.file` absolute, from the folder the process runs in. Gives the source the name that it has
// in diagnostics, files below the current folder names relative to it, CUDA headers the names they are included by.
std::string with_file_names(const std::string& ptx, const FileNames& names);

}  // namespace lanescope::compile
