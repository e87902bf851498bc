#pragma once
// CUDA C++ source text to compile or scan.

#include <string>
#include <vector>

namespace lanescope::compile {

// As after -I and -D of nvcc.
struct Preprocessor {
  std::vector<std::string> include_paths;
  std::vector<std::string> defines;  // "NAME" or "NAME=VALUE"
};

struct Source {
  std::string name;  // file name used in diagnostics and line tables; its folder is searched for "headers"
  std::string text;
  std::vector<std::string> include_paths;
  std::vector<std::string> defines = {};  // "NAME" or "NAME=VALUE", as after nvcc's -D
};

}  // namespace lanescope::compile
