#pragma once
// What `lanescope exec` asks of the libraries in the program's process. It stands as JSON in one environment variable,
// so that it reaches the program's own children too.

#include <cstdint>
#include <string>

#include "core/architecture.h"

namespace lanescope::device {

inline constexpr const char* exec_variable = "LANESCOPE_EXEC";

struct ExecOptions {
  std::string log;       // the run log (run_log.h) that is appended to; empty: none is written
  bool verbose = false;  // a line on standard error for each launch
  bool races = false;
  std::uint64_t max_steps = 0;  // 0: the interpreter's own limit
  std::string kernels;          // only kernels whose name holds a match of this regular expression; empty: all
  std::string launches;         // only these launches, counted from 1: "3-5", "1,4-"; empty: all
  std::string arch = imitated_gpu::arch;
  int threads = 0;     // 0: all cores
  bool totals = true;  // count what the launches do
  std::string save;    // a file that each counted launch is saved in (saved_run.h); empty: none is
  std::uint64_t save_limit = std::uint64_t{1} << 30;  // bytes of it
  bool save_once = false;                             // only the first launch of each kernel and shape
  std::string ptxas;                                  // its path; empty: there is none
  friend bool operator==(const ExecOptions&, const ExecOptions&) = default;
};

// Defaults where the variable is missing or says nothing that is understood: a program may run with LD_LIBRARY_PATH
// alone.
ExecOptions exec_options_from_environment();
ExecOptions exec_options_from(const std::string& text);
// What the variable is set to.
std::string to_environment(const ExecOptions& options);

// Which launches of a program are counted: ExecOptions::kernels and ::launches, read once.
bool is_launch_list(const std::string& text);  // "3-5", "1,4-", ""
bool names_launch(const std::string& list, std::uint64_t launch);

}  // namespace lanescope::device
