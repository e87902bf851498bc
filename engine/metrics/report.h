#pragma once
// Named numbers of a trace, for tables, JSON, lesson text and the window: one row of metrics.def per number.

#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// A number with its origin.
struct Measurement {
  std::string name;   // dotted key: "global_load.sectors_per_request", "simt_efficiency"
  std::string label;  // "global load sectors per request"
  std::string unit;   // "requests", "sectors/request", "B"; "%": value runs from 0 to 100
  double value = 0;   // in `unit`; NaN when not applicable
  double ideal = -1;  // the best this launch could have; < 0 = none defined
  trace::Origin origin = trace::Origin::interpreted;
  std::string nsight_name;  // Nsight Compute's metric to compare with; empty = none
  std::string nsight_note;  // why there is none, or what to mind when comparing; may be empty
  bool applicable = true;   // false: a ratio of nothing (no requests); show "–", never 0 or 1
};

// All numbers of a trace, in the fixed order of metrics.def. Counts come from the totals (exact for the whole launch).
std::vector<Measurement> report(const trace::Trace& trace);
// The same of any totals, such as those of a part of a launch (recompute.h).
std::vector<Measurement> report(const trace::Totals& totals, trace::Origin origin);

// One of them by dotted name; applicable = false and an empty name when there is no such number.
Measurement find(const trace::Trace& trace, std::string_view name);
Measurement find(const trace::Totals& totals, trace::Origin origin, std::string_view name);
// All the dotted names there are, in the order of report().
std::vector<std::string> names();

}  // namespace lanescope::metrics
