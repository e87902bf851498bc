// Groups of lanes in colour: tiles of a warp, or lanes that were active together.

#include <algorithm>

#include "diagram/builder.h"
#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

// Neighbouring groups differ in colour, are separated by a gap, and their ranks start at 0 again.
constexpr Role group_roles[] = {Role::executed, Role::variant_b, Role::broadcast, Role::wasted};

std::string name_of(const Say& say, const GroupRow& row) {
  return row.tile > 0 ? say(Phrase::tile, row.tile) : say(Phrase::active_together);
}

std::string caption_of(const Say& say, const std::vector<GroupRow>& rows) {
  const auto chosen = std::ranges::find(rows, true, &GroupRow::chosen);
  if (chosen == rows.end() || chosen->groups.empty()) return say(Phrase::no_group);
  const std::size_t groups = chosen->groups.size();
  const int size = chosen->groups[0].count();
  int lanes = 0;
  for (const LaneMask group : chosen->groups) lanes += group.count();
  const bool even = std::ranges::all_of(chosen->groups, [&](LaneMask group) { return group.count() == size; });
  if (chosen->tile > 0 && !(even && size == chosen->tile))
    return say(Phrase::tiles_in_part, chosen->tile, lanes, groups);
  if (!even) return say(Phrase::lanes_in_groups, lanes, groups);
  if (size == 1) return say(Phrase::groups_of_one, groups);
  if (groups > 1) return say(Phrase::even_groups, size, groups, size - 1);
  return size == MemoryModel::lanes ? say(Phrase::one_whole_group) : say(Phrase::one_group, size, size - 1);
}

}  // namespace

std::vector<GroupRow> tile_rows(int chosen_size) {
  std::vector<GroupRow> rows;
  for (int size = MemoryModel::lanes; size >= 1; size /= 2) {
    GroupRow row;
    row.tile = size;
    row.chosen = size == chosen_size;
    for (int first = 0; first < MemoryModel::lanes; first += size)
      row.groups.push_back({LaneMask::first(size).bits << first});
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<GroupRow> group_rows(const trace::Trace& trace, const trace::WarpEvent& event, int tile) {
  const bool coalesced =
      event.kind == trace::EventKind::vote && trace.sites[event.site].opcode.starts_with("activemask");
  if (tile == 0 || coalesced) {
    GroupRow row;
    row.chosen = true;
    if (!event.executed.empty()) row.groups.push_back(event.executed);
    return {row};
  }
  std::vector<GroupRow> rows = tile_rows(tile);
  // Of the tiles of one lane, only a chosen row is drawn.
  std::erase_if(rows, [](const GroupRow& row) { return row.tile < 2 && !row.chosen; });
  for (GroupRow& row : rows) {
    if (!row.chosen) continue;
    for (LaneMask& group : row.groups) group = group & event.executed;
    std::erase_if(row.groups, [](LaneMask group) { return group.empty(); });
  }
  return rows;
}

namespace {

// Draws the lanes of a row that are in no group.
void draw_outsiders(Builder& builder, const Columns& at, const GroupRow& row, float y, float height) {
  LaneMask member;
  for (const LaneMask group : row.groups) member = member | group;
  (~member).for_each([&](int lane) {
    Tag tag;
    tag.lane = lane;
    tag.text = builder.say(Phrase::tag_no_group, lane);
    builder.rect(at.x(lane) + 0.5f, y, at.cell - 1, height, Role::inactive, Pattern::solid,
                 builder.tag(std::move(tag)));
  });
}

void draw_group(Builder& builder, const Columns& at, const GroupRow& row, std::size_t number, float y, float height) {
  const LaneMask group = row.groups[number];
  int place = 0;
  group.for_each([&](int lane) {
    // A tile's ranks include lanes that take no part.
    const int rank = row.tile > 0 ? lane % row.tile : place;
    const int size = row.tile > 0 ? row.tile : group.count();
    ++place;
    Tag tag;
    tag.lane = lane;
    tag.text = builder.say(Phrase::tag_group, lane, number, rank, size);
    // Cells within a group are closer together than two groups.
    const bool first = lane == 0 || !group.test(lane - 1), last = lane == 31 || !group.test(lane + 1);
    const float x = at.x(lane) + (first ? 1.0f : 0), right = at.x(lane) + at.cell - (last ? 1.0f : 0);
    Rect& cell = builder.rect(x, y, right - x, height, group_roles[number % std::size(group_roles)], Pattern::solid,
                              builder.tag(std::move(tag)));
    if (!row.chosen) cell.alpha = 0.35f;
    Rect copy = cell;
    // The same cell size for a whole row, also at the ends of groups.
    copy.x = at.x(lane) + 0.25f, copy.width = at.cell - 0.5f;
    builder.in_cell(copy, std::to_string(rank), 12, size > 10 ? widest_lane : "0");
  });
}

}  // namespace

Scene groups(const std::vector<GroupRow>& rows, const Options& options) {
  Builder builder(options);
  const Say& say = builder.say;
  builder.scene().title = say(Phrase::groups_title);
  builder.scene().caption = caption_of(say, rows);
  const auto chosen = std::ranges::find(rows, true, &GroupRow::chosen);
  if (chosen != rows.end())
    builder.scene().subtitle = say(Phrase::groups_of_row, name_of(say, *chosen), chosen->groups.size());

  float left = 0;
  for (const GroupRow& row : rows) left = std::max(left, text_width(name_of(say, row), 12, Face::mono));
  // A single row is named above the picture.
  left = rows.size() == 1 ? 0 : std::min(left + 12, builder.width() / 3);
  const Columns at(left, builder.width() - left, MemoryModel::lanes, 1);
  const float height = std::clamp(at.cell * 1.6f, 16.0f, 32.0f), pitch = height + 12;
  float y = 0;
  for (const GroupRow& row : rows) {
    if (left > 0) {
      Label& name = builder.label(0, y + height / 2, fitted(name_of(say, row), left - 8, 12, Face::mono), 12,
                                  row.chosen ? Role::text : Role::dim, Align::left, Face::mono);
      name.strong = row.chosen;
    }
    draw_outsiders(builder, at, row, y, height);
    for (std::size_t i = 0; i < row.groups.size(); ++i) draw_group(builder, at, row, i, y, height);
    y += pitch;
  }
  builder.legend({});  // colours only distinguish groups
  return builder.finish(rows.empty() ? 0 : y - (pitch - height));
}

}  // namespace lanescope::diagram
