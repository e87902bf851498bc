#pragma once
// The steps of a learner: the events of one warp, with names, and how often each place in the kernel was executed
// before.

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// One step is one event: index i of steps() is index i of Trace::warp().
struct Step {
  std::uint32_t site = 0;
  std::uint32_t occurrence = 0;  // how many events of this site the same warp had before, among those kept
  trace::EventKind kind{};
  LaneMask active, executed;
  std::int32_t line = 0;           // CUDA line; 0 = unknown
  std::uint32_t instructions = 1;  // PTX instructions it stands for: a block entry stands for its whole basic block
  std::string label;               // short, for the foot of a column: "ld.global", "entry", "bar"
};

std::vector<Step> steps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp);

// "ld.global" of "ld.global.nc.v4.f32"; "entry" of a function's first basic block, "line 12" of a later one, "enter" of
// a later one without a line.
std::string step_label(const trace::Site& site);

// Whether all threads of a block wait there.
bool is_block_barrier(const trace::Site& site);

// What the warps of a block did "at this step": step `step` (an index into Trace::warp()) of `warp`, and of each other
// warp the event of the same instruction that is as many barriers of the block from its beginning and the same
// occurrence since the last of them; nullptr where a warp has none. Barriers keep warps in step whatever each of them
// does between; without one, occurrences do. In the order of the warps; all are nullptr when there is no such step.
std::vector<const trace::WarpEvent*> across_warps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                                                  std::size_t step);

}  // namespace lanescope::metrics
