#include "diagram/lane_state.h"

#include <algorithm>

#include "metrics/steps.h"

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
  const auto after = std::ranges::upper_bound(events, event.sequence, {}, &trace::WarpEvent::sequence);
  for (auto each = after; each != events.end() && (there & ~later) != LaneMask::none(); ++each)
    later = later | each->active;
  return later;
}

std::array<LaneState, 32> lane_states(const trace::Trace& trace, const trace::WarpEvent& event, LaneMask later) {
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

namespace {

Phrase phrase_of(LaneState state, bool branch) {
  switch (state) {
    case LaneState::executed:
      return branch ? Phrase::takes_branch : Phrase::role_executed;
    case LaneState::guarded_off:
      return branch ? Phrase::goes_on : Phrase::role_guarded_off;
    case LaneState::inactive:
      return Phrase::state_waits;
    default:
      return Phrase::state_exited;
  }
}

}  // namespace

bool link_to_bytes(Tag& tag, const trace::Trace& trace, const trace::WarpEvent& event, int lane, LaneState state) {
  if (event.kind != EventKind::memory || state != LaneState::executed) return false;
  tag.first_byte = trace.address(event, lane);
  tag.bytes = trace.sites[event.site].width;
  return true;
}

Tag lane_tag(const Say& say, const trace::Trace& trace, const trace::WarpEvent& event, int lane, LaneState state) {
  Tag tag;
  tag.lane = lane;
  tag.text = say(Phrase::lane_number, lane) + " · ";
  if (state == LaneState::absent) {
    tag.text += say(Phrase::tag_not_there, trace.launch.block.count());
    return tag;
  }
  const Dim3 thread =
      trace.launch.block.at(std::uint64_t{event.warp} * MemoryModel::lanes + static_cast<unsigned>(lane));
  tag.text +=
      say(Phrase::tag_thread, std::to_string(thread.x), std::to_string(thread.y), std::to_string(thread.z)) + " · ";
  // The window asks for the tags of a warp in each frame: these phrases have no values to fill in.
  tag.text += pattern_of(phrase_of(state, event.kind == EventKind::branch), say.language());
  if (link_to_bytes(tag, trace, event, lane, state))
    tag.text += " · " + say(Phrase::tag_access, hex(tag.first_byte), say(Phrase::byte_count, tag.bytes));
  return tag;
}

std::string lanes_subtitle(const Say& say, const trace::WarpEvent& event, LaneMask there) {
  const Phrase phrase = event.kind == EventKind::branch        ? Phrase::subtitle_taken
                        : event.kind == EventKind::block_entry ? Phrase::subtitle_on_path
                                                               : Phrase::subtitle_executed;
  return say(phrase, event.executed.count(), there.count());
}

std::string step_name(const Say& say, const trace::Site& site) {
  if (site.kind != EventKind::block_entry) return metrics::step_label(site);
  if (site.basic_block == 0) return say(Phrase::step_entry);
  if (site.line <= 0) return say(Phrase::step_enter);
  return say(Phrase::step_line, std::to_string(site.line));
}

}  // namespace lanescope::diagram
