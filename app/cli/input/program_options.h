#pragma once
// The options of `exec`.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::cli {

struct ProgramOptions {
  std::vector<std::string> command;  // a .cu file or a program, then its arguments
  std::string arch = "sm_90";
  std::vector<std::string> include_paths;  // of a .cu file, with the two below
  std::string standard;
  std::vector<std::string> nvcc_options;
  bool verbose = false, races = false;
  std::uint64_t max_steps = 0;
  std::string kernels, launches;
  int threads = 0;
  std::string save_file;                // that the launches are saved in; empty: none is
  std::uint64_t save_megabytes = 1024;  // the most that it takes
  std::string json_file;
  std::string device = "cpu";  // else: where each kernel and shape runs once more
  int gpu = 0;
};

}  // namespace lanescope::cli
