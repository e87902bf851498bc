#pragma once
// What a program did on the device, from its run log: one row per kernel and shape, copies, missing calls, and errors.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/run_log.h"

namespace lanescope::cli {

// All launches of one kernel with one shape.
struct KernelRow {
  std::string kernel;
  trace::Launch launch;
  std::uint64_t launches = 0;                    // that started
  std::uint64_t counted = 0;                     // launches whose work is in the totals
  std::uint64_t incomplete = 0;                  // launches that did not complete
  std::map<std::string, std::uint64_t> refused;  // launches that did not start, by the code of the reason
  std::uint64_t looked_for_races = 0;            // launches
  std::uint64_t races = 0;
  trace::Totals totals;
  double seconds = 0;  // in the interpreter
  // The source line with the most traffic in a launch → in how many launches it was the one.
  std::map<std::pair<std::string, int>, std::uint64_t> lines;
};

struct ProgramReport {
  std::vector<KernelRow> kernels;  // in the order of their first launches
  std::vector<device::CopyRow> copies;
  std::vector<device::MissingCall> missing;
  struct Said {
    Diagnostic diagnostic;  // the first of them
    std::uint64_t times = 1;
    // The others have the same place and pattern, but other values: another thread, another address.
    bool differ = false;
    std::string refused;  // the kernel, if it tells why a launch did not start
  };
  std::vector<Said> said;
  std::uint64_t launches = 0;
  bool has_refused() const {
    return std::ranges::any_of(said, [](const Said& one) { return !one.refused.empty(); });
  }
};
ProgramReport report_of(const std::vector<device::LogRow>& rows);

// Puts what is said about refused launches at the launch, if `text`, the source in `file`, has only one of the kernel.
void place_refused_launches(ProgramReport& report, const std::string& file, const std::string& text);

// The table, followed by copies and missing calls; empty if there is nothing to show.
std::string program_table(const ProgramReport& report);
// In the form of printed diagnostics. A repeated message states how often it occurred.
Diagnostics said_of(const ProgramReport& report);
// Nothing, or a note that no launch of some kernels was checked for races.
Diagnostics about_races(const ProgramReport& report);
nlohmann::ordered_json program_json(const ProgramReport& report);

}  // namespace lanescope::cli
