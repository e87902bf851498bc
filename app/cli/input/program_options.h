#pragma once
// The options of `exec`.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::cli {

struct ProgramOptions {
  std::vector<std::string> command;      // a .cu file or a program, followed by its arguments
  std::vector<std::string> behind_file;  // of these arguments: options that were hardly meant for the program
  std::string arch = "sm_90";
  std::vector<std::string> include_paths;  // for a .cu file, like the three below
  std::vector<std::string> defines;
  std::string standard;
  std::vector<std::string> nvcc_options;
  bool verbose = false, races = false;
  std::uint64_t max_steps = 0;
  std::string kernels, launches;
  int threads = 0;
  std::string save_file;                // the file to save launches in; empty: none
  std::uint64_t save_megabytes = 1024;  // the largest size of that file
  std::uint64_t event_megabytes = 0;    // for the events of each saved launch when it is opened; 0: none given
  bool tell_of_saved = true;            // say how many launches it has, and how to open it
  std::string json_file;
  // For the window, which started this process: a file for the diagnostics, with their patterns
  // (core/os/message_codec.h), as {"said": […]}. Then neither they nor the table are printed. Empty: none.
  std::string said_file;
  std::string device = "cpu";  // if not "cpu": where each kernel and shape also runs
  int gpu = 0;
};

}  // namespace lanescope::cli
