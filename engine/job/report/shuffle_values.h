#pragma once
// What a shuffle moved: the values that its lanes gave and got, found by running the launch again up to it.

#include <array>
#include <optional>
#include <string>

#include "diagram/views.h"
#include "job/run/job.h"

namespace lanescope::job {

struct ShuffleValues {
  // What the register holds, as far as the PTX around the shuffle tells, and so what the texts are.
  diagram::Moved what = diagram::Moved::bits;
  // Of numbers and words f32, s32, u32, f64, s64 or u64; of halves f16 or bf16; else none.
  ptx::Type type{};
  // One a lane. Of lanes that do not take part: "–". What a lane gets from one that does not take part is undefined:
  // "?".
  std::array<std::string, 32> before, after;
  // Lanes that exchange among themselves, from the instruction's clamp operand: 32, 16, … 1; a tile's size.
  int width = 32;
  LaneMask members = LaneMask::all();  // that the instruction names (its last operand)
  // What diagram::group_rows() takes: the tile's size; 0 where the instruction names fewer than a warp's lanes, as that
  // of a coalesced group does: a group of its own, whose ranks are places among its members.
  int tile() const { return width == 32 && !members.full() ? 0 : width; }
};

// `event` is a shuffle of the outcome's launch 1, 2, … (of its first repeat). Runs the launch again up to it, and those
// before it whole: call it off the frame. Errors: those of sim::values_at(), and value.no_shuffle.
Result<ShuffleValues> shuffle_values(const Outcome& outcome, const trace::WarpEvent& event, int launch = 1);

}  // namespace lanescope::job
