// All warps of a block at one step: which work while others wait.

#include <algorithm>
#include <vector>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "metrics/steps.h"

namespace lanescope::diagram {
namespace {

using trace::WarpEvent;

struct Busy {
  std::size_t warps = 0;
  int fewest = MemoryModel::lanes, most = 0;
};

Busy busy_warps(const std::vector<const WarpEvent*>& events) {
  Busy busy;
  for (const WarpEvent* event : events) {
    if (event == nullptr || event->executed.empty()) continue;
    ++busy.warps;
    busy.fewest = std::min(busy.fewest, event->executed.count());
    busy.most = std::max(busy.most, event->executed.count());
  }
  return busy;
}

std::string lanes_each(const Say& say, const Busy& busy) {
  if (busy.fewest < busy.most) return say(Phrase::lanes_range_each, busy.fewest, busy.most);
  if (busy.most == MemoryModel::lanes) return say(Phrase::all_lanes);
  return say(busy.warps == 1 ? Phrase::lanes_of_32 : Phrase::lanes_of_32_each, busy.most);
}

std::string caption_of(const Say& say, const Busy& busy, std::size_t warps) {
  const std::size_t idle = warps - busy.warps;
  if (busy.warps == 0) return say(Phrase::no_warp_runs);
  const std::string lanes = lanes_each(say, busy);
  const std::string text = idle == 0 && warps > 1 ? say(Phrase::all_warps_run, warps, lanes)
                                                  : say(Phrase::warps_run, busy.warps, warps, lanes);
  return idle > 0 ? say(Phrase::others_idle, text, idle) : say(Phrase::full_stop, text);
}

// A warp that does not execute this step has an event without lanes.
WarpEvent event_of(const std::vector<const WarpEvent*>& events, std::uint32_t warp) {
  if (events[warp] != nullptr) return *events[warp];
  WarpEvent nothing;
  nothing.warp = static_cast<std::uint16_t>(warp);
  return nothing;
}

std::string tip(const Say& say, const trace::Trace& trace, const WarpEvent& event, int lane, LaneState state) {
  return say(Phrase::warp_number, event.warp) + " · " + lane_tag(say, trace, event, lane, state).text;
}

}  // namespace

std::string block_lanes_tip(const trace::Trace& trace, const std::vector<const WarpEvent*>& events, std::size_t tag,
                            Language language) {
  const std::size_t warp = tag / MemoryModel::lanes;
  if (warp >= events.size()) return {};
  const WarpEvent event = event_of(events, static_cast<std::uint32_t>(warp));
  const int lane = static_cast<int>(tag % MemoryModel::lanes);
  return tip(Say(language), trace, event, lane, lane_states(trace, event, LaneMask::all())[lane]);
}

Scene block_lanes(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t step,
                  const Options& options) {
  if (step >= trace.warp(block, warp).size()) {
    const Builder builder(options);
    return sentence_only(options, builder.say(Phrase::block_title, std::to_string(block)), Phrase::no_such_step);
  }
  return block_lanes(trace, block, metrics::across_warps(trace, block, warp, step), options);
}

Scene block_lanes(const trace::Trace& trace, std::uint32_t block, const std::vector<const WarpEvent*>& events,
                  const Options& options) {
  Builder builder(options);
  const Say& say = builder.say;
  const std::string number = std::to_string(block);
  const Busy busy = busy_warps(events);
  builder.scene().title = say(Phrase::block_at_step, number, events.size());
  builder.scene().subtitle =
      busy.warps == 0 ? say(Phrase::no_warp_busy) : say(Phrase::warps_busy, busy.warps, lanes_each(say, busy));
  builder.scene().caption = caption_of(say, busy, events.size());

  const float label = text_width(say(Phrase::warp_number, events.size() - 1), 11, Face::mono) + 10;
  const float gap = builder.width() >= 480 ? 3 : 2;
  const Columns at(label, builder.width() - label, MemoryModel::lanes, gap);
  const float between = std::max(gap, 3.0f);
  std::size_t rows = events.size();
  float height = std::clamp(at.cell, 8.0f, 18.0f);
  // Few warps in much room have taller cells.
  if (const float room = options.max_height / static_cast<float>(std::max<std::size_t>(rows, 1)) - between;
      room > height)
    height = std::max(height, std::min(room, 1.5f * at.cell));
  const float pitch = std::max(14.0f, height + between);
  if (options.max_height > 0 && pitch * static_cast<float>(rows) > options.max_height)
    rows = static_cast<std::size_t>(std::max(1.0f, (options.max_height - 18) / pitch));

  for (std::uint32_t row = 0; row < rows; ++row) {
    const float y = pitch * static_cast<float>(row);
    builder.label(0, y + height / 2, say(Phrase::warp_number, row), 11, Role::dim, Align::left, Face::mono);
    const WarpEvent event = event_of(events, row);
    const auto states = lane_states(trace, event, LaneMask::all());
    for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
      const LaneLook look = look_of(states[lane], event.kind);
      Tag tag;  // without the lane: its number does not identify the warp
      link_to_bytes(tag, trace, event, lane, states[lane]);
      if (options.tips) tag.text = tip(say, trace, event, lane, states[lane]);
      builder.rect(at.x(lane), y, at.cell, height, look.role, look.pattern, builder.tag(std::move(tag)));
    }
  }
  float bottom = pitch * static_cast<float>(rows) - (pitch - height);
  if (rows < events.size()) {
    builder.note(label, bottom + 12, say(Phrase::more_warps, events.size() - rows));
    bottom += 18;
  }
  return builder.finish(bottom);
}

}  // namespace lanescope::diagram
