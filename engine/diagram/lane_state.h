#pragma once
// What each lane of a warp does at an event, and how it is drawn.

#include <array>
#include <string>
#include <vector>

#include "diagram/builder.h"
#include "trace/trace.h"

namespace lanescope::diagram {

enum class LaneState : std::uint8_t {
  executed,     // active, guard true (branch: takes it)
  guarded_off,  // active, guard false (branch: falls through)
  inactive,     // waits on another path
  exited,       // appears in no later event of its warp
  absent        // the last warp of the block has fewer than 32 lanes
};

struct LaneLook {
  Role role{};
  Pattern pattern{};
};
// `kind`: at a branch, the lanes that fall through are not guarded off.
LaneLook look_of(LaneState state, trace::EventKind kind);

// Lanes that exist in a warp; none if the block has no such warp.
LaneMask lanes_there(const trace::Launch& launch, std::uint32_t warp);

// `later`: lanes that appear in some later event of the warp. If later events may be missing, a lane that does not
// appear again counts as inactive, because it may not have exited.
std::array<LaneState, 32> lane_states(const trace::Trace& trace, const trace::WarpEvent& event, LaneMask later);
LaneMask lanes_later(const trace::Trace& trace, const trace::WarpEvent& event);

LaneMask lanes_in(const std::array<LaneState, 32>& states, LaneState state);

// Tooltip of one lane: "lane 5 · thread (37, 0, 0) · executed · 0x7f2014, 4 bytes".
Tag lane_tag(const Say& say, const trace::Trace& trace, const trace::WarpEvent& event, int lane, LaneState state);

// Sets the bytes that the lane accesses; false if it accesses none.
bool link_to_bytes(Tag& tag, const trace::Trace& trace, const trace::WarpEvent& event, int lane, LaneState state);

// "16 of 32 executed"; for a branch "16 of 32 take it".
std::string lanes_subtitle(const Say& say, const trace::WarpEvent& event, LaneMask there);

// metrics::step_label() in the current language; instruction names stay English.
std::string step_name(const Say& say, const trace::Site& site);

}  // namespace lanescope::diagram
