#pragma once
// What the warps of a block did at a step, of warps of any length: see across_warps() in metrics/steps.h.

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// Made by one walk through the kept events of a block; then an answer takes some hundred events of each warp,
// whatever its length. Keeps counts for each site of each few hundred events, and no event: the trace is passed again.
class BlockSteps {
 public:
  BlockSteps(const trace::Trace& trace, std::uint32_t block);
  // The same as across_warps(trace, block, warp, step), of the trace that this was made of.
  std::vector<const trace::WarpEvent*> across(const trace::Trace& trace, std::uint32_t warp, std::size_t step) const;

 private:
  // Before an event: the block's barriers, and how often each site came up since the last of them.
  struct Mark {
    std::size_t barriers = 0;
    std::vector<std::uint32_t> since;  // by site
  };
  std::uint32_t block_ = 0;
  std::vector<std::vector<Mark>> warps_;  // by warp; of the events 0, apart, 2 · apart, …
};

}  // namespace lanescope::metrics
