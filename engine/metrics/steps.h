#pragma once
// The steps that a learner sees: the events of one warp with names, and how often each site was executed before.

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// One step is one event: index i of steps() is index i of Trace::warp().
struct Step {
  std::uint32_t site = 0;
  std::uint32_t occurrence = 0;  // number of earlier kept events of this site in the same warp
  trace::EventKind kind{};
  LaneMask active, executed;
  std::int32_t line = 0;  // CUDA line; 0 = unknown
  // PTX instructions that it stands for: a block entry stands for its whole basic block.
  std::uint32_t instructions = 1;
  std::string label;  // short label for the foot of a column: "ld.global", "entry", "bar"
};

std::vector<Step> steps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp);

// "ld.global" for "ld.global.nc.v4.f32"; "entry" for a function's first basic block, "line 12" for a later one, "enter"
// for a later one without a line.
std::string step_label(const trace::Site& site);

// True if all threads of a block wait there.
bool is_block_barrier(const trace::Site& site);

// What all warps of a block do at a step: step `step` (an index into Trace::warp()) of `warp`, and for every other warp
// the event of the same instruction with the same number of block barriers before it and the same occurrence since the
// last of them; nullptr if a warp has none. Barriers align the warps regardless of their work in between; without
// barriers, occurrences do. In the order of the warps. All are nullptr if the step does not exist.
std::vector<const trace::WarpEvent*> across_warps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                                                  std::size_t step);

}  // namespace lanescope::metrics
