#pragma once
// The line of a kernel where most of its memory traffic arises. A count, not a time.

#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace lanescope::metrics {

struct CostliestLine {
  std::string file;
  std::int32_t line = 0;       // 0: no line is known, or nothing was moved
  bool in_wavefronts = false;  // of shared memory; else in sectors, of global and local memory
  std::uint64_t count = 0;     // of those, this line's
  std::uint64_t of = 0;        // all lines'
  friend bool operator==(const CostliestLine&, const CostliestLine&) = default;
};

// By sectors; by wavefronts where the launch moved no sector.
CostliestLine costliest_line(const trace::Trace& trace);

}  // namespace lanescope::metrics
