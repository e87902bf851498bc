#pragma once
// Named numbers of a trace, for tables, JSON, lesson text and the window: one row of metrics.def per number.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wording.h"
#include "trace/trace.h"

namespace lanescope::metrics {

// Which of two kernels is better by a number.
enum class Better : std::uint8_t { less, more, neutral };

// Measurement::panel of a number that the window's list only shows if a lesson's point names it.
inline constexpr int unlisted = std::numeric_limits<int>::max();

// A number with its origin.
struct Measurement {
  std::string name;                                // dotted key: "global_load.sectors_per_request", "simt_efficiency"
  std::optional<trace::MemoryClass> memory_class;  // nullopt: a number of the whole launch
  Wording label;                                   // in both languages: "global load sectors per request"
  std::string unit;                                // "requests", "sectors/request", "B"; "%": value runs from 0 to 100
  double value = 0;                                // in `unit`; NaN if not applicable
  double ideal = -1;                               // the best value that this launch could have; < 0 = not defined
  Better better = Better::less;
  trace::Origin origin = trace::Origin::interpreted;
  std::string nsight_name;  // Nsight Compute's metric to compare with; empty = none
  Wording nsight_note;      // in both languages: why there is none, or what to consider when comparing; may be empty
  int panel = 0;            // position in the window's list, lowest first; or `unlisted`
  bool applicable = true;   // false: a ratio of 0 to 0; show "–", never 0 or 1
};

// All numbers of a trace, in the order of metrics.def. Counts come from the totals (exact for the whole launch).
std::vector<Measurement> report(const trace::Trace& trace);
// The same for any totals, such as those of a part of a launch (recompute.h).
std::vector<Measurement> report(const trace::Totals& totals, trace::Origin origin);

// One number by its dotted name. If there is no such number: applicable = false and an empty name.
Measurement find(const trace::Trace& trace, std::string_view name);
Measurement find(const trace::Totals& totals, trace::Origin origin, std::string_view name);
// All dotted names, in the order of report().
std::vector<std::string> names();
// Nsight Compute's metric to compare the number with; empty if there is none.
std::string nsight_name(std::string_view name);

}  // namespace lanescope::metrics
