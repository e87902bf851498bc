// Thirty-two cells: what each lane does at one event.

#include <algorithm>

#include "diagram/film.h"
#include "diagram/lane_state.h"
#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

using trace::EventKind;
using trace::WarpEvent;

std::string branch_caption(const Say& say, const WarpEvent& event) {
  const int lanes = event.active.count(), taking = event.executed.count();
  if (lanes == 0) return say(Phrase::branch_of_none);
  if (taking == 0) return say(lanes == 1 ? Phrase::branch_one_on : Phrase::branch_all_on, lanes);
  if (taking == lanes) return say(lanes == 1 ? Phrase::branch_one_taken : Phrase::branch_all_taken, lanes);
  return say(Phrase::branch_splits, taking, lanes - taking);
}

std::string caption_of(const Say& say, const WarpEvent& event, const std::array<LaneState, 32>& states,
                       LaneMask there) {
  if (event.kind == EventKind::branch) return branch_caption(say, event);
  const int executed = event.executed.count(), all = there.count();
  if (executed == all && all > 0)
    return all == MemoryModel::lanes ? say(Phrase::all_lanes_execute) : say(Phrase::all_of_warp_execute, all);
  std::vector<std::string> rest;
  const auto also = [&](LaneState state, Phrase what) {
    if (const int lanes = lanes_in(states, state).count(); lanes > 0) rest.push_back(say(what, lanes));
  };
  also(LaneState::guarded_off, Phrase::are_guarded_off);
  also(LaneState::inactive, Phrase::wait_elsewhere);
  also(LaneState::exited, Phrase::have_exited);
  if (executed == 0)
    return say(event.kind == EventKind::memory ? Phrase::no_lane_requests : Phrase::no_lane_executes, say.listed(rest));
  return say(Phrase::some_lanes_execute, executed, all, say.listed(rest));
}

}  // namespace

Scene lanes(const trace::Trace& trace, const WarpEvent& event, const Options& options) {
  return lanes(trace, event, lanes_later(trace, event), options);
}

Scene lanes(const trace::Trace& trace, const WarpEvent& event, LaneMask later, const Options& options) {
  Builder builder(options);
  const Say& say = builder.say;
  const LaneMask there = lanes_there(trace.launch, event.warp);
  const auto states = lane_states(trace, event, later);
  builder.scene().title = say(Phrase::lanes_title);
  builder.scene().subtitle = lanes_subtitle(say, event, there);
  builder.scene().caption = caption_of(say, event, states, there);

  // As many columns as leave room for a two-digit number.
  int columns = MemoryModel::lanes;
  while (columns > 8 && builder.width() / static_cast<float>(columns) < 14) columns /= 2;
  const float gap = builder.width() / static_cast<float>(columns) >= 30 ? 4 : 2;
  const Columns at(0, builder.width(), columns, gap);
  const float height = std::clamp(at.cell, 15.0f, 38.0f);
  for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
    const LaneState state = states[lane];
    const LaneLook look = look_of(state, event.kind);
    const float y = (height + gap) * static_cast<float>(lane / columns);
    const std::uint32_t tag = builder.tag(lane_tag(say, trace, event, lane, state));
    const Rect cell = builder.rect(at.x(lane % columns), y, at.cell, height, look.role, look.pattern, tag);
    if (state != LaneState::exited && state != LaneState::absent)
      builder.in_cell(cell, std::to_string(lane), std::min(16.0f, height * 0.62f), widest_lane);
  }
  if (event.kind == EventKind::branch) {
    builder.legend({{Role::executed, Pattern::solid, say(Phrase::takes_branch)},
                    {Role::executed, Pattern::outline, say(Phrase::goes_on)}});
  }
  const int rows = MemoryModel::lanes / columns;
  return builder.finish((height + gap) * static_cast<float>(rows) - gap);
}

}  // namespace lanescope::diagram
