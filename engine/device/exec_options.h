#pragma once
// The options of `lanescope exec` for the libraries in the program's process. They are JSON in one environment
// variable, so that the program's child processes get them too.

#include <cstdint>
#include <string>

#include "core/architecture.h"

namespace lanescope::device {

inline constexpr const char* exec_variable = "LANESCOPE_EXEC";

struct ExecOptions {
  std::string log;       // run log (run_log.h) to append to; empty: none
  bool verbose = false;  // a line on standard error for each launch
  bool races = false;
  std::uint64_t max_steps = 0;  // 0: the interpreter's own limit
  std::string kernels;          // only kernels whose name matches this regular expression; empty: all
  std::string launches;         // only these launches, counted from 1: "3-5", "1,4-"; empty: all
  std::string arch = imitated_gpu::arch;
  int threads = 0;     // 0: all cores
  bool totals = true;  // count what the launches do
  std::string save;    // file in which each counted launch is saved (saved_run.h); empty: none
  std::uint64_t save_limit = std::uint64_t{1} << 30;  // its most bytes
  bool save_once = false;                             // only the first launch of each kernel and shape
  std::uint64_t event_budget = 0;  // bytes for the events of a saved launch when it is opened; 0: the opener's own
  std::string ptxas;               // path; empty: none
  friend bool operator==(const ExecOptions&, const ExecOptions&) = default;
};

// Defaults if the variable is missing or not understood, because a program may run with only LD_LIBRARY_PATH set.
ExecOptions exec_options_from_environment();
ExecOptions exec_options_from(const std::string& text);
// The value for the variable.
std::string to_environment(const ExecOptions& options);

// Which launches of a program are counted, according to ExecOptions::kernels and ::launches.
bool is_launch_list(const std::string& text);  // "3-5", "1,4-", ""
bool names_launch(const std::string& list, std::uint64_t launch);

}  // namespace lanescope::device
