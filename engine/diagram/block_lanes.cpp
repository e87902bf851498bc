// All warps of a block at one step: who works while who waits.

#include <algorithm>
#include <vector>

#include "diagram/lane_state.h"
#include "diagram/views.h"
#include "fmt/format.h"
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

std::string lanes_each(const Busy& busy) {
  if (busy.fewest < busy.most)
    return fmt::format("{} to {} of 32 lanes each", busy.fewest, busy.most);
  const std::string lanes =
      busy.most == MemoryModel::lanes ? "all 32 lanes" : fmt::format("{} of 32 lanes", busy.most);
  return busy.warps == 1 || busy.most == MemoryModel::lanes ? lanes : lanes + " each";
}

std::string caption_of(const Busy& busy, std::size_t warps) {
  const std::size_t idle = warps - busy.warps;
  if (busy.warps == 0) return "No warp of the block runs this step.";
  std::string text = idle == 0 && warps > 1
                         ? fmt::format("All {} warps run this step", warps)
                         : fmt::format("{} of {} {} this step", busy.warps, counted(warps, "warp"),
                                       busy.warps == 1 ? "runs" : "run");
  text += ", with " + lanes_each(busy);
  if (idle > 0)
    text += fmt::format("; {} nothing to do",
                        idle == 1 ? "the other one has" : fmt::format("the other {} have", idle));
  return text + ".";
}

}  // namespace

Scene block_lanes(const trace::Trace& trace, std::uint32_t block, std::uint32_t site,
                  std::uint32_t occurrence, const Options& options) {
  const std::string title = fmt::format("Block {}", block);
  if (site >= trace.sites.size())
    return sentence_only(options.width, title, "The block has no such step.");
  const std::vector<const WarpEvent*> events =
      metrics::across_warps(trace, block, site, occurrence);
  const Busy busy = busy_warps(events);
  Builder builder(options.width);
  builder.scene().title = fmt::format("{}: {} at this step", title, counted(events.size(), "warp"));
  builder.scene().subtitle =
      busy.warps == 0 ? "no warp busy"
                      : fmt::format("{} busy, {}", counted(busy.warps, "warp"), lanes_each(busy));
  builder.scene().caption = caption_of(busy, events.size());

  const float label = text_width(fmt::format("warp {}", events.size() - 1), 11, Face::mono) + 10;
  const float gap = builder.width() >= 480 ? 3 : 2;
  const Columns at(label, builder.width() - label, MemoryModel::lanes, gap);
  const float height = std::clamp(at.cell, 8.0f, 18.0f),
              pitch = std::max(14.0f, height + std::max(gap, 3.0f));
  std::size_t rows = events.size();
  if (options.max_height > 0 && pitch * static_cast<float>(rows) > options.max_height)
    rows = static_cast<std::size_t>(std::max(1.0f, (options.max_height - 18) / pitch));

  for (std::uint32_t warp = 0; warp < rows; ++warp) {
    const float y = pitch * static_cast<float>(warp);
    builder.label(0, y + height / 2, fmt::format("warp {}", warp), 11, Role::dim, Align::left,
                  Face::mono);
    WarpEvent nothing;  // a warp that does not come here: its lanes are all elsewhere
    nothing.block = block;
    nothing.warp = static_cast<std::uint16_t>(warp);
    const WarpEvent& event = events[warp] != nullptr ? *events[warp] : nothing;
    const auto states = lane_states(trace, event, LaneMask::all());
    for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
      const LaneLook look = look_of(states[lane], event.kind);
      Tag tag = lane_tag(trace, event, lane, states[lane]);
      tag.text = fmt::format("warp {} · {}", warp, tag.text);
      tag.lane = -1;  // a lane number alone does not say which warp's
      builder.rect(at.x(lane), y, at.cell, height, look.role, look.pattern,
                   builder.tag(std::move(tag)));
    }
  }
  float bottom = pitch * static_cast<float>(rows) - (pitch - height);
  if (rows < events.size()) {
    builder.note(label, bottom + 12, "and " + counted(events.size() - rows, "more warp"));
    bottom += 18;
  }
  return builder.finish(bottom);
}

}  // namespace lanescope::diagram
