#pragma once
// The source line that causes most of a kernel's memory traffic. A count, not a time.

#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace lanescope::metrics {

struct CostliestLine {
  std::string file;
  std::int32_t line = 0;       // 0: no line is known, or nothing moved
  bool in_wavefronts = false;  // true: shared-memory wavefronts; false: sectors of global and local memory
  std::uint64_t count = 0;     // count of this line
  std::uint64_t of = 0;        // count of all lines
  friend bool operator==(const CostliestLine&, const CostliestLine&) = default;
};

// By sectors, or by wavefronts if the launch moved no sectors.
CostliestLine costliest_line(const trace::Trace& trace);

}  // namespace lanescope::metrics
