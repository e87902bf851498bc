#pragma once
// What a learner steps through: the events of one warp, named, and how often each place in the
// kernel came up before.

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// One step is one event: index i of steps() is index i of Trace::warp().
struct Step {
  std::uint32_t site = 0;
  std::uint32_t occurrence =
      0;  // how many events of this site the same warp had before, among those kept
  trace::EventKind kind{};
  LaneMask active, executed;
  std::int32_t line = 0;  // CUDA line; 0 = unknown
  std::uint32_t instructions =
      1;  // PTX instructions it stands for: a block entry stands for its whole basic block
  std::string label;  // short, for the foot of a column: "ld.global", "entry", "bar"
};

std::vector<Step> steps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp);

// "ld.global" of "ld.global.nc.v4.f32"; "entry" of a function's first basic block, "line 12" of a
// later one, "enter" of a later one without a line.
std::string step_label(const trace::Site& site);

// Events of one site at the same occurrence, one for each warp of the block that has it, in the
// order of the warps: what the block did "at this step". nullptr where a warp has none.
std::vector<const trace::WarpEvent*> across_warps(const trace::Trace& trace, std::uint32_t block,
                                                  std::uint32_t site, std::uint32_t occurrence);

}  // namespace lanescope::metrics
