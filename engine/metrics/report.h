#pragma once
// Named numbers of a trace, for tables, JSON, lesson text and the window: one row of metrics.def a number.

#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// A number with its origin; `samples` and `spread` only for timed ones.
struct Measurement {
  std::string name;        // dotted key: "global_load.sectors_per_request", "simt_efficiency"
  std::string label;       // "global load sectors per request"
  std::string unit;        // "sectors/request", "%", "B", "" (a count says what it counts)
  double value = 0;
  double ideal = -1;       // the best this launch could have; < 0 = none defined
  trace::Origin origin = trace::Origin::interpreted;
  std::string nsight_name; // Nsight Compute's metric to compare with; empty = none, `nsight_note` says why
  std::string nsight_note;
  bool applicable = true;  // false: a ratio of nothing (no requests); show "–", never 0 or 1
};

// All numbers of a trace, in the fixed order of metrics.def. Counts come from the totals (exact for the whole launch).
std::vector<Measurement> report(const trace::Trace& trace);

// One of them by dotted name; nullptr-like (applicable = false, empty name) when there is no such number.
Measurement find(const trace::Trace& trace, std::string_view name);
// All the dotted names there are.
std::vector<std::string> names();

}  // namespace lanescope::metrics
