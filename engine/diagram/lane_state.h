#pragma once
// What each lane of a warp is doing at an event, and how that looks.

#include <array>
#include <string>
#include <vector>

#include "diagram/builder.h"
#include "trace/trace.h"

namespace lanescope::diagram {

enum class LaneState : std::uint8_t {
  executed,     // active, guard true (a branch: takes it)
  guarded_off,  // active, guard false (a branch: goes on)
  inactive,     // waits on another path
  exited,       // appears in no later event of its warp
  absent        // the last warp of the block has fewer than 32 lanes
};

struct LaneLook {
  Role role{};
  Pattern pattern{};
};
// `kind`: a branch's lanes that go straight on are not guarded off.
LaneLook look_of(LaneState state, trace::EventKind kind);

// Lanes that exist in a warp; none for a warp that the block has not.
LaneMask lanes_there(const trace::Launch& launch, std::uint32_t warp);

// `later`: lanes that appear in any later event of the warp. When later events may be missing a lane that does not
// appear again counts as inactive: nothing says that it exited.
std::array<LaneState, 32> lane_states(const trace::Trace& trace, const trace::WarpEvent& event, LaneMask later);
LaneMask lanes_later(const trace::Trace& trace, const trace::WarpEvent& event);

LaneMask lanes_in(const std::array<LaneState, 32>& states, LaneState state);

// Tooltip of one lane: "lane 5 · thread (37, 0, 0) · executed · 0x7f2014, 4 bytes".
Tag lane_tag(const Say& say, const trace::Trace& trace, const trace::WarpEvent& event, int lane, LaneState state);

// "16 of 32 executed"; for a branch "16 of 32 take it".
std::string lanes_subtitle(const Say& say, const trace::WarpEvent& event, LaneMask there);

// metrics::step_label() in the language spoken: names of instructions stay as they are.
std::string step_name(const Say& say, const trace::Site& site);

}  // namespace lanescope::diagram
