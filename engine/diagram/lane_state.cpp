#include "diagram/lane_state.h"

#include <algorithm>

#include "fmt/format.h"

namespace lanescope::diagram {

using trace::EventKind;

LaneLook look_of(LaneState state, EventKind kind) {
  switch (state) {
    case LaneState::executed:
      return {Role::executed, Pattern::solid};
    case LaneState::guarded_off:
      if (kind == EventKind::branch) return {Role::executed, Pattern::outline};
      return {Role::guarded_off, Pattern::hatched_outline};
    case LaneState::inactive:
      return {Role::inactive, Pattern::solid};
    case LaneState::exited:
    case LaneState::absent:
      return {Role::exited, Pattern::dashed};
  }
  return {};
}

LaneMask lanes_there(const trace::Launch& launch, std::uint32_t warp) {
  const std::uint64_t before = std::uint64_t{warp} * MemoryModel::lanes;
  return launch.block.count() > before ? launch.lanes_of(warp) : LaneMask::none();
}

LaneMask lanes_later(const trace::Trace& trace, const trace::WarpEvent& event) {
  if (trace.events_dropped > 0) return LaneMask::all();
  const LaneMask there = lanes_there(trace.launch, event.warp);
  LaneMask later;
  const auto events = trace.warp(event.block, event.warp);
  const auto after =
      std::ranges::upper_bound(events, event.sequence, {}, &trace::WarpEvent::sequence);
  for (auto each = after; each != events.end() && (there & ~later) != LaneMask::none(); ++each)
    later = later | each->active;
  return later;
}

std::array<LaneState, 32> lane_states(const trace::Trace& trace, const trace::WarpEvent& event,
                                      LaneMask later) {
  const LaneMask there = lanes_there(trace.launch, event.warp);
  std::array<LaneState, 32> states{};
  for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
    states[lane] = event.executed.test(lane) ? LaneState::executed
                   : event.active.test(lane) ? LaneState::guarded_off
                   : !there.test(lane)       ? LaneState::absent
                   : later.test(lane)        ? LaneState::inactive
                                             : LaneState::exited;
  }
  return states;
}

LaneMask lanes_in(const std::array<LaneState, 32>& states, LaneState state) {
  LaneMask mask;
  for (int lane = 0; lane < MemoryModel::lanes; ++lane)
    if (states[lane] == state) mask = mask | LaneMask::lane(lane);
  return mask;
}

Tag lane_tag(const trace::Trace& trace, const trace::WarpEvent& event, int lane, LaneState state) {
  Tag tag;
  tag.lane = lane;
  tag.text = fmt::format("lane {}", lane);
  if (state == LaneState::absent) {
    tag.text += fmt::format(" · not there: the block has {}",
                            counted(trace.launch.block.count(), "thread"));
    return tag;
  }
  const Dim3 thread = trace.launch.block.at(std::uint64_t{event.warp} * MemoryModel::lanes +
                                            static_cast<unsigned>(lane));
  tag.text += fmt::format(" · thread ({}, {}, {})", thread.x, thread.y, thread.z);
  const bool branch = event.kind == EventKind::branch;
  switch (state) {
    case LaneState::executed:
      tag.text += branch ? " · takes the branch" : " · executed";
      break;
    case LaneState::guarded_off:
      tag.text += branch ? " · goes straight on" : " · guarded off";
      break;
    case LaneState::inactive:
      tag.text += " · waits on another path";
      break;
    default:
      tag.text += " · has exited";
      break;
  }
  if (event.kind == EventKind::memory && state == LaneState::executed) {
    tag.first_byte = trace.address(event, lane);
    tag.bytes = trace.sites[event.site].width;
    tag.text += fmt::format(" · {}, {}", hex(tag.first_byte), counted(tag.bytes, "byte"));
  }
  return tag;
}

std::string lanes_subtitle(const trace::WarpEvent& event, LaneMask there) {
  const char* what = event.kind == EventKind::branch        ? "take the branch"
                     : event.kind == EventKind::block_entry ? "on this path"
                                                            : "executed";
  return fmt::format("{} of {} {}", event.executed.count(), there.count(), what);
}

}  // namespace lanescope::diagram
