#include "gui/warp/values_view.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gui/kit/widgets.h"

namespace lanescope::gui {

namespace {

std::string cell(const job::LaneValues& values, int lane, ptx::Type type, job::Base base) {
  return job::value_text(values[static_cast<std::size_t>(lane)], type, base);
}

// The contents of the lane's element. Memory that was never written has none.
std::string contents(const Ui& ui, const job::LaneValues& values, int lane, ptx::Type type, LaneMask has) {
  return has.test(lane) ? cell(values, lane, type, ui.session.replays.base) : ui.told("never written");
}

}  // namespace

void ValuesView::lay_out(const Ui& ui, const job::StepValues& values) {
  const job::Base base = ui.session.replays.base;
  const Fit wanted{
      &values, values.step, base, ui.look.scale(), ui.window.settings.language, ui.session.runs.shown()->serial};
  if (wanted == fit_) return;
  fit_ = wanted;
  columns_.clear();
  const auto add = [&](std::string title, std::string note, LaneMask lanes, const auto& text) -> Column& {
    Column& made = columns_.emplace_back();
    made.title = std::move(title), made.note = std::move(note);
    made.cells.resize(32);
    lanes.for_each([&](int lane) { made.cells[static_cast<std::size_t>(lane)] = text(lane); });
    return made;
  };
  const LaneMask ran = values.done ? values.executed : LaneMask{};
  for (const job::AccessValues& access : values.access)
    for (const auto& element : access.elements)
      add(ui.tr(Label::values_element), "", values.executed, [&](int lane) {
        return element.names[static_cast<std::size_t>(lane)];
      }).left = true;
  const auto add_operand = [&](const job::OperandValues& one) {
    const std::string& name = one.source.empty() ? one.name : one.source;
    if (one.read)
      add(name, one.source.empty() ? "" : one.name, values.active,
          [&](int lane) { return cell(one.before, lane, one.type, base); });
    if (one.written)
      add(name, ui.tr(Label::values_after), ran, [&](int lane) {
        return cell(one.after, lane, one.type, base);
      }).changed = true;
  };
  for (const job::OperandValues& one : values.operands)
    if (!one.address) add_operand(one);
  for (const job::AccessValues& access : values.access)
    for (const auto& element : access.elements) {
      add(ui.tr(Label::values_memory), "", values.executed,
          [&](int lane) { return contents(ui, element.before, lane, access.type, element.has_before); });
      if (access.operation == trace::Operation::load) continue;
      add(ui.tr(Label::values_memory), ui.tr(Label::values_after), ran, [&](int lane) {
        return contents(ui, element.after, lane, access.type, element.has_after);
      }).changed = true;
    }
  // Addresses come last, because the element's name tells the same; if there is no room, they must be scrolled to.
  for (const job::OperandValues& one : values.operands)
    if (one.address) add_operand(one);
  for (Column& column : columns_) {
    column.width =
        std::max(ui.look.measure(type::caption_strong, column.title).x, ui.look.measure(type::caption, column.note).x);
    for (const std::string& text : column.cells)
      column.width = std::max(column.width, ui.look.measure(type::number, text).x);
    column.width += ui.px(20);
  }
}

void ValuesView::bases(const Ui& ui, float right, float centre) {
  constexpr std::pair<job::Base, Label> all[] = {{job::Base::bits, Label::values_bits},
                                                 {job::Base::hexadecimal, Label::values_hexadecimal},
                                                 {job::Base::decimal, Label::values_decimal}};
  Replays& replays = ui.session.replays;
  constexpr const char* ids[] = {"bits", "hexadecimal", "decimal"};
  for (std::size_t i = 0; i < 3; ++i) {
    const char* label = ui.tr(all[i].second);
    right -= chip_width(ui.look, label);
    ImGui::SetCursorScreenPos({right, centre - ui.px(15)});
    if (chip(ui.look, ids[i], label, replays.base == all[i].first, false)) replays.base = all[i].first;
    right -= ui.px(6);
  }
}

namespace {

constexpr float row_height = 18, head_height = 36, lane_column = 30;

}  // namespace

// The lanes' numbers, and the reaction to a click on their rows.
void ValuesView::lanes(const Ui& ui, const job::StepValues& values, float width) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float row = ui.px(row_height);
  for (int lane = 0; lane < 32; ++lane) {
    const ImVec2 at{start.x, start.y + static_cast<float>(lane) * row}, end{start.x + width, at.y + row};
    ImGui::SetCursorScreenPos(at);
    // Tab reaches a single row; arrow keys move from there.
    const std::string id = fmt::format("lane-{}", lane);
    const bool current = lane == std::max(ui.session.replays.lane, 0);
    if (current && std::exchange(focus_lane_, false)) focus_next_item();
    const bool pressed =
        current ? pressable(id.c_str(), {width, row}) : ImGui::InvisibleButton(id.c_str(), {width, row});
    const int way = current ? keys_of_item(ImGuiKey_UpArrow, ImGuiKey_DownArrow) : 0;
    if (pressed || way != 0)
      ui.window.afterwards([this, &replays = ui.session.replays, lane = std::clamp(lane + way, 0, 31), way] {
        replays.lane = lane;
        focus_lane_ = way != 0;
      });
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list->AddRectFilled(at, end, p.hover, ui.px(4));
    }
    if (lane == ui.session.replays.lane) list->AddRectFilled(at, end, p.accent_soft, ui.px(4));
    draw_text(list, ui.look, type::number, values.executed.test(lane) ? p.dim : p.faint,
              {at.x + ui.px(18), at.y + row / 2}, std::to_string(lane), HAlign::right);
  }
  const int chosen = ui.session.replays.lane;
  const float height = ImGui::GetWindowHeight();
  if (chosen < 0 || (chosen == seen_lane_ && values.step == seen_step_ && height == seen_height_)) return;
  seen_lane_ = chosen, seen_step_ = values.step, seen_height_ = height;
  const float top = static_cast<float>(chosen) * row, room = height - ui.px(head_height);
  if (top < ImGui::GetScrollY() || top + row > ImGui::GetScrollY() + room)
    ImGui::SetScrollY(std::max(0.0f, top - room / 2));
}

// The titles stay in place while the lanes scroll.
void ValuesView::table(const Ui& ui, const job::StepValues& values) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos(), corner = ImGui::GetWindowPos();
  const float row = ui.px(row_height), head = ui.px(head_height), first = start.y + head;
  float width = ui.px(lane_column);
  for (const Column& column : columns_) width += column.width;
  ImGui::SetCursorScreenPos({start.x, first});
  lanes(ui, values, std::max(width, ImGui::GetContentRegionAvail().x));
  const auto place = [&](const Column& column, float x) {
    return column.left ? x + ui.px(10) : x + column.width - ui.px(10);
  };
  float x = start.x + ui.px(lane_column);
  for (const Column& column : columns_) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::string& text = column.cells[lane];
      const ImU32 colour = text.empty() ? p.faint : column.changed ? p.accent : p.text;
      draw_text(list, ui.look, type::number, colour,
                {place(column, x), first + (static_cast<float>(lane) + 0.5f) * row}, text.empty() ? "–" : text,
                column.left ? HAlign::left : HAlign::right);
    }
    x += column.width;
  }
  list->AddRectFilled(corner, {corner.x + ImGui::GetWindowWidth(), corner.y + head}, p.panel);
  x = start.x + ui.px(lane_column);
  for (const Column& column : columns_) {
    const HAlign align = column.left ? HAlign::left : HAlign::right;
    draw_text(list, ui.look, type::caption_strong, p.text, {place(column, x), corner.y + ui.px(9)}, column.title,
              align);
    draw_text(list, ui.look, type::caption, p.dim, {place(column, x), corner.y + ui.px(25)}, column.note, align);
    x += column.width;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, head + 32 * row});
}

void ValuesView::draw(const Ui& ui, const PanelRect& body) {
  ImGui::SetCursorScreenPos({body.x, body.y});
  ImGui::BeginChild("values", {body.width, body.height}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoScrollbar);
  const Replays& replays = ui.session.replays;
  const bool in_memory = ui.session.memory.open;
  if (in_memory) ui.session.replays.forget_earlier_run();
  const bool follows = (in_memory ? ui.session.memory.element : replays.lane) >= 0 || !ui.told(replays.said).empty();
  const float below = follows ? std::clamp(below_, ui.px(68), std::max(ui.px(130), body.height * 0.45f)) : ui.px(68);
  const PanelRect above{body.x, body.y, body.width, body.height - below};
  if (in_memory)
    memory_.draw(ui, above);
  else
    step(ui, above);
  if (!ui.session.runs.shows_recorded()) origins(ui, {body.x, body.y + body.height - below, body.width, below});
  ImGui::EndChild();
}

void ValuesView::step(const Ui& ui, const PanelRect& rect) {
  const float pad = ui.px(16), head = ui.px(40), centre = rect.y + head / 2, inner = rect.width - 2 * pad;
  const Result<job::StepValues>* found = ui.session.replays.values();
  bases(ui, rect.x + rect.width - pad, centre);
  const auto say = [&](const std::string& text) {
    ImGui::SetCursorScreenPos({rect.x + pad, rect.y + head});
    paragraph(ui.look, type::small, ui.colours().dim, text, inner);
  };
  if (found == nullptr)
    return say(ui.tr(ui.session.runs.shows_recorded() ? Label::values_recorded : Label::values_wait));
  if (!found->ok()) return say(ui.told(found->errors().front().message));
  const job::StepValues& values = **found;
  lay_out(ui, values);
  float chips = 0;
  for (const Label label : {Label::values_bits, Label::values_hexadecimal, Label::values_decimal})
    chips += chip_width(ui.look, ui.tr(label)) + ui.px(6);
  bool cut = false;
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::number, ui.colours().dim, {rect.x + pad, centre},
            values.instruction, HAlign::left, inner - chips - ui.px(8), &cut);
  if (values.instruction.empty()) return say(ui.tr(Label::kind_entry));
  ImGui::SetCursorScreenPos({rect.x + pad, rect.y + head});
  ImGui::BeginChild("lanes", {inner, rect.height - head}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_HorizontalScrollbar);
  if (columns_.empty())
    paragraph(ui.look, type::small, ui.colours().dim, ui.tr(Label::values_none));
  else
    table(ui, values);
  ImGui::EndChild();
}

}  // namespace lanescope::gui
