#pragma once
// What a program did on the device, read from its run log: one row for each kernel and shape, copies, calls that are
// not there, and what went wrong.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/run_log.h"

namespace lanescope::cli {

// Launches of one kernel in one shape.
struct KernelRow {
  std::string kernel;
  trace::Launch launch;
  std::uint64_t launches = 0;
  std::uint64_t counted = 0;     // of them: those whose work the totals hold
  std::uint64_t incomplete = 0;  // did not run to their end
  std::uint64_t races = 0;
  trace::Totals totals;
  double seconds = 0;  // in the interpreter
  // The line with the most traffic of each launch: how often it was the one.
  std::map<std::pair<std::string, int>, std::uint64_t> lines;
};

struct ProgramReport {
  std::vector<KernelRow> kernels;  // in the order of their first launches
  std::vector<device::CopyRow> copies;
  std::vector<device::MissingCall> missing;
  struct Said {
    Diagnostic diagnostic;
    std::uint64_t times = 1;
  };
  std::vector<Said> said;
  std::uint64_t launches = 0;
};
ProgramReport report_of(const std::vector<device::LogRow>& rows);

// The table, and below it copies and calls that are not there; empty when there is nothing of these.
std::string program_table(const ProgramReport& report);
// As diagnostics are printed; what was said more than once says how often.
Diagnostics said_of(const ProgramReport& report);
nlohmann::ordered_json program_json(const ProgramReport& report);

}  // namespace lanescope::cli
