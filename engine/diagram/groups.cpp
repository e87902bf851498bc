// Groups of lanes in colour: tiles of a warp, or whatever lanes came together.

#include <algorithm>

#include "diagram/builder.h"
#include "diagram/views.h"
#include "fmt/format.h"

namespace lanescope::diagram {
namespace {

// Neighbouring groups differ in colour, in the gap between them, and in ranks that begin at 0
// again.
constexpr Role group_roles[] = {Role::executed, Role::variant_b, Role::broadcast, Role::wasted};

std::string caption_of(const std::vector<GroupRow>& rows) {
  const auto chosen = std::ranges::find(rows, true, &GroupRow::chosen);
  if (chosen == rows.end() || chosen->groups.empty()) return "";
  const std::size_t groups = chosen->groups.size();
  const int size = chosen->groups[0].count();
  const bool even =
      std::ranges::all_of(chosen->groups, [&](LaneMask group) { return group.count() == size; });
  if (!even) {
    int lanes = 0;
    for (const LaneMask group : chosen->groups) lanes += group.count();
    return fmt::format("{} in {}: each group has its own ranks from 0 on.",
                       counted(static_cast<unsigned>(lanes), "lane"), counted(groups, "group"));
  }
  if (size == 1)
    return fmt::format("{} of one lane each: nothing to exchange.", counted(groups, "group"));
  if (groups == 1) {
    return size == MemoryModel::lanes
               ? "One group: the whole warp, with ranks 0 to 31."
               : fmt::format("One group of {} lanes, with ranks 0 to {}.", size, size - 1);
  }
  return fmt::format(
      "Groups of {}: {} a warp, each with ranks 0 to {} and a shuffle range of its own.", size,
      groups, size - 1);
}

}  // namespace

std::vector<GroupRow> tile_rows(int chosen_size) {
  std::vector<GroupRow> rows;
  for (int size = MemoryModel::lanes; size >= 1; size /= 2) {
    GroupRow row;
    row.label = fmt::format("tile {}", size);
    row.chosen = size == chosen_size;
    for (int first = 0; first < MemoryModel::lanes; first += size)
      row.groups.push_back({LaneMask::first(size).bits << first});
    rows.push_back(std::move(row));
  }
  return rows;
}

Scene groups(const std::vector<GroupRow>& rows, const Options& options) {
  Builder builder(options.width);
  builder.scene().title = "Groups";
  builder.scene().caption = caption_of(rows);
  const auto chosen = std::ranges::find(rows, true, &GroupRow::chosen);
  if (chosen != rows.end())
    builder.scene().subtitle =
        fmt::format("{} · {}", chosen->label, counted(chosen->groups.size(), "group"));

  float left = 0;
  for (const GroupRow& row : rows) left = std::max(left, text_width(row.label, 12, Face::mono));
  left = std::min(left + 12, builder.width() / 3);
  const Columns at(left, builder.width() - left, MemoryModel::lanes, 1);
  const float height = std::clamp(at.cell * 1.6f, 16.0f, 32.0f), pitch = height + 12;
  float y = 0;
  for (const GroupRow& row : rows) {
    Label& name = builder.label(0, y + height / 2, fitted(row.label, left - 8, 12, Face::mono), 12,
                                row.chosen ? Role::text : Role::dim, Align::left, Face::mono);
    name.strong = row.chosen;
    LaneMask member;
    for (const LaneMask group : row.groups) member = member | group;
    for (int lane = 0; lane < MemoryModel::lanes; ++lane) {
      if (member.test(lane)) continue;
      Tag tag;
      tag.lane = lane;
      tag.text = fmt::format("lane {} · in no group", lane);
      builder.rect(at.x(lane) + 0.5f, y, at.cell - 1, height, Role::inactive, Pattern::solid,
                   builder.tag(std::move(tag)));
    }
    for (std::size_t i = 0; i < row.groups.size(); ++i) {
      int rank = 0;
      row.groups[i].for_each([&](int lane) {
        Tag tag;
        tag.lane = lane;
        tag.text =
            fmt::format("lane {} · group {} · rank {} of {}", lane, i, rank, row.groups[i].count());
        // A group's cells touch more closely than two groups do.
        const bool first = lane == 0 || !row.groups[i].test(lane - 1),
                   last = lane == 31 || !row.groups[i].test(lane + 1);
        const float x = at.x(lane) + (first ? 1.0f : 0),
                    right = at.x(lane) + at.cell - (last ? 1.0f : 0);
        Rect& cell = builder.rect(x, y, right - x, height, group_roles[i % std::size(group_roles)],
                                  Pattern::solid, builder.tag(std::move(tag)));
        if (!row.chosen) cell.alpha = 0.35f;
        const Rect copy = cell;
        builder.in_cell(copy, std::to_string(rank), 12,
                        row.groups[i].count() > 10 ? widest_lane : "8");
        ++rank;
      });
    }
    y += pitch;
  }
  builder.legend({});  // colours only tell groups apart
  return builder.finish(rows.empty() ? 0 : y - (pitch - height));
}

}  // namespace lanescope::diagram
