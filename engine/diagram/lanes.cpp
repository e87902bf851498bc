// Thirty-two cells: what each lane does at one event.

#include <algorithm>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "fmt/format.h"

namespace lanescope::diagram {
namespace {

using trace::EventKind;
using trace::WarpEvent;

std::string branch_caption(const WarpEvent& event) {
  const int lanes = event.active.count(), taking = event.executed.count();
  if (taking == 0 || taking == lanes) {
    const char* way = taking == 0 ? "goes straight on" : "takes the branch";
    const char* ways = taking == 0 ? "go straight on" : "take the branch";
    return lanes == 1
               ? fmt::format("The one active lane {}: the warp stays together.", way)
               : fmt::format("All {} active lanes {}: the warp stays together.", lanes, ways);
  }
  return fmt::format("The warp splits: {} {} the branch, {} {} straight on.",
                     counted(taking, "lane"), taking == 1 ? "takes" : "take", lanes - taking,
                     lanes - taking == 1 ? "goes" : "go");
}

std::string caption_of(const WarpEvent& event, const std::array<LaneState, 32>& states,
                       LaneMask there) {
  if (event.kind == EventKind::branch) return branch_caption(event);
  const int executed = event.executed.count(), all = there.count();
  const int guarded = lanes_in(states, LaneState::guarded_off).count();
  const int waiting = lanes_in(states, LaneState::inactive).count();
  const int exited = lanes_in(states, LaneState::exited).count();
  if (executed == all && all > 0) {
    if (all == MemoryModel::lanes) return "All 32 lanes execute.";
    return fmt::format("All {} of this warp execute; a full warp has 32.", counted(all, "lane"));
  }
  std::string rest;
  const auto also = [&](int lanes, const char* what_one, const char* what_many) {
    if (lanes > 0)
      rest += fmt::format("{}{} {}", rest.empty() ? "" : ", ", lanes,
                          lanes == 1 ? what_one : what_many);
  };
  also(guarded, "is guarded off", "are guarded off");
  also(waiting, "waits on another path", "wait on another path");
  also(exited, "has exited", "have exited");
  const bool request = event.kind == EventKind::memory;
  if (executed == 0)
    return fmt::format("No lane executes ({}){}.", rest, request ? ": no request, no cost" : "");
  return fmt::format("{} of {} lanes {}; {}.", executed, all,
                     executed == 1 ? "executes" : "execute", rest);
}

}  // namespace

Scene lanes(const trace::Trace& trace, const WarpEvent& event, const Options& options) {
  Builder builder(options.width);
  const LaneMask there = lanes_there(trace.launch, event.warp);
  const auto states = lane_states(trace, event, lanes_later(trace, event));
  builder.scene().title = "Lanes";
  builder.scene().subtitle = lanes_subtitle(event, there);
  builder.scene().caption = caption_of(event, states, there);

  // As many to a row as leave room for a number of two digits.
  int columns = MemoryModel::lanes;
  while (columns > 8 && builder.width() / static_cast<float>(columns) < 14) columns /= 2;
  const float gap = builder.width() / static_cast<float>(columns) >= 30 ? 4 : 2;
  const Columns at(0, builder.width(), columns, gap);
  const float height = std::clamp(at.cell, 15.0f, 38.0f);
  for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
    const LaneState state = states[lane];
    const LaneLook look = look_of(state, event.kind);
    const float y = (height + gap) * static_cast<float>(lane / columns);
    const std::uint32_t tag = builder.tag(lane_tag(trace, event, lane, state));
    const Rect cell =
        builder.rect(at.x(lane % columns), y, at.cell, height, look.role, look.pattern, tag);
    if (state != LaneState::exited && state != LaneState::absent)
      builder.in_cell(cell, std::to_string(lane), std::min(16.0f, height * 0.62f), widest_lane);
  }
  if (event.kind == EventKind::branch) {
    builder.legend({{Role::executed, Pattern::solid, "takes the branch"},
                    {Role::executed, Pattern::outline, "goes straight on"}});
  }
  const int rows = MemoryModel::lanes / columns;
  return builder.finish((height + gap) * static_cast<float>(rows) - gap);
}

}  // namespace lanescope::diagram
