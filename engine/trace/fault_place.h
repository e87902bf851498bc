#pragma once
// Where a launch stopped with an error: a warp, and its last event.

#include <cstdint>
#include <optional>

#include "core/lane_mask.h"

namespace lanescope::trace {

struct FaultPlace {
  std::uint32_t block = 0, warp = 0;      // linear
  std::optional<std::uint32_t> sequence;  // of that event; nullopt: no events of its block were recorded
  // The event is the access that failed. It is among the trace's events, but its totals do not count it. Otherwise the
  // fault follows the event.
  bool is_event = false;
  LaneMask lanes;  // that failed; empty: not known
};

}  // namespace lanescope::trace
