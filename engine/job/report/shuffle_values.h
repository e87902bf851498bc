#pragma once
// The values that the lanes of a shuffle gave and received, found by running the launch again up to it.

#include <array>
#include <optional>
#include <string>

#include "diagram/views.h"
#include "job/run/job.h"

namespace lanescope::job {

struct ShuffleValues {
  // What the register holds as far as the surrounding PTX tells. It decides how the texts are written.
  diagram::Moved what = diagram::Moved::bits;
  // For numbers and words: f32, s32, u32, f64, s64 or u64; for halves: f16 or bf16; else none.
  ptx::Type type{};
  // One text per lane: "–" for a lane that does not take part; "?" (undefined) for a lane that reads from one that does
  // not take part.
  std::array<std::string, 32> before, after;
  // The size of the lane groups that exchange values, from the clamp operand: 32, 16, … 1. For a tile, its size.
  int width = 32;
  LaneMask members = LaneMask::all();  // lanes named by the instruction's last operand
  // The tile size for diagram::group_rows(). 0 if the instruction names fewer than all lanes, as a coalesced group
  // does: such a group is its own, and its ranks count its members.
  int tile() const { return width == 32 && !members.full() ? 0 : width; }
};

// `event` is a shuffle of the outcome's launch 1, 2, … (its first repeat). Runs the launches before it and this launch
// up to the event again, so do not call it while a frame is drawn. Errors: those of sim::values_at(), and
// value.no_shuffle.
Result<ShuffleValues> shuffle_values(const Outcome& outcome, const trace::WarpEvent& event, int launch = 1);

}  // namespace lanescope::job
