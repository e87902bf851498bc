// Below the two variants: both films, one column per joint step: how many warps work, and how many lanes of each.

#include <fmt/format.h>

#include <algorithm>

#include "core/worded.h"
#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"

namespace lanescope::gui {

// Distances in pixels, and the columns in sight.
struct CompareView::Films {
  float x0 = 0, top = 0, bottom = 0, row_height = 0;
  float pitch = 0;                  // of a column
  std::size_t first = 0, last = 0;  // the last is not in sight
  bool crowded = false;             // names do not fit beside one another
  float cell(const Ui& ui) const { return pitch - ui.px(12); }
  float name_room(const Ui& ui) const { return cell(ui) + ui.px(6); }
};

// Which block and warp both sides show, or what the panel is about where there is one of each; returns what it took.
float CompareView::places(const Ui& ui, const Strip& strip) {
  Session& s = ui.session;
  std::uint32_t blocks = 1, warps = 1;
  for (const Side* side : {&a_, &b_}) {
    if (side->result == nullptr) continue;
    const trace::Launch& launch = side->result->outcome.first().trace.launch;
    blocks = std::max(blocks, static_cast<std::uint32_t>(launch.grid.count()));
    warps = std::max(warps, launch.warps_per_block());
  }
  if (blocks < 2 && warps < 2)
    return draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, ui.colours().dim,
                     {strip.x0, strip.centre}, ui.tr(Label::where_they_part)) +
           ui.px(12);
  const Position at = place(s);
  float x = strip.x0;
  const auto choose = [&](const char* id, Label what, std::uint32_t now, std::uint32_t count, auto&& set) {
    if (count < 2) return;
    ImGui::SetCursorScreenPos({x, strip.centre - ui.px(13)});
    if (stepper(ui.look, id, ui.tr(what), now, count)) set(now);
    x = ImGui::GetCursorScreenPos().x + ui.px(12);
  };
  choose("both block", Label::block, at.block, blocks,
         [&](std::uint32_t block) { ui.window.afterwards([this, &s, block, at] { go_to_warp(s, block, at.warp); }); });
  choose("both warp", Label::warp, at.warp, warps,
         [&](std::uint32_t warp) { ui.window.afterwards([this, &s, warp, at] { go_to_warp(s, at.block, warp); }); });
  return x - strip.x0;
}

// The buttons to other steps, from the right; returns where they begin.
float CompareView::arrows(const Ui& ui, const Strip& strip) {
  struct Control {
    const char* id;
    Icon icon;
    Label what;
    std::ptrdiff_t delta;
  };
  const auto n = static_cast<std::ptrdiff_t>(steps().size());
  const Control controls[] = {{"last", Icon::last, Label::step_last, n},
                              {"next", Icon::next, Label::step_next, 1},
                              {"previous", Icon::previous, Label::step_previous, -1},
                              {"first", Icon::first, Label::step_first, -n}};
  float right = strip.x1 + ui.px(6);
  ImGui::PushID("both");
  for (const Control& c : controls) {
    right -= ui.px(28);
    ImGui::SetCursorScreenPos({right, strip.centre - ui.px(13)});
    const bool enabled = !steps().empty() && (c.delta < 0 ? step_ > 0 : step_ + 1 < steps().size());
    if (icon_button(ui.look, c.id, c.icon, ui.tr(c.what), enabled))
      ui.window.afterwards([this, delta = c.delta] { step_by(delta); });
  }
  ImGui::PopID();
  return right;
}

// To where they differ, and to the code of both; between `left` and `right`.
void CompareView::ways(const Ui& ui, const Strip& strip, float left, float right) {
  const Palette& p = ui.colours();
  const auto way = [&](const char* id, const char* said, bool leads) {
    const float width = ui.look.measure(type::caption_strong, said).x + ui.px(12);
    if (right - left <= width) return false;
    ImGui::SetCursorScreenPos({left, strip.centre - ui.px(12)});
    const bool pressed = pressable(id, {width, ui.px(24)});
    if (leads && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption_strong, leads ? p.accent : p.faint,
              {left + ui.px(6), strip.centre}, said);
    left += width + ui.px(8);
    return pressed && leads;
  };
  const std::optional<std::size_t> to = parting();
  const Label where = to                    ? Label::go_to_parting
                      : !in_work_->searched ? Label::searching_parting
                                            : Label::they_never_part;
  // Their values may differ.
  const std::string said =
      where == Label::they_never_part ? ui.told(worded("same lanes and cost throughout")) : std::string(ui.tr(where));
  if (way("parting", said.c_str(), to.has_value())) ui.window.afterwards([this, to] { go_to(*to); });
  if (way("texts", ui.tr(ui.window.compare_code ? Label::compare_pictures : Label::compare_code), true))
    ui.window.compare_code = !ui.window.compare_code;
}

void CompareView::together(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "together", rect);
  const Strip strip = panel_strip(ui.look);
  const float left = strip.x0 + places(ui, strip);
  float right = arrows(ui, strip);
  if (steps().empty()) return end_panel();
  right -= ui.px(10);
  const char* who = !both()            ? "{}"
                    : now_.a && now_.b ? ui.tr(Label::both_at)
                                       : ui.tr(now_.a ? Label::only_a_at : Label::only_b_at);
  // "only A has halving 4 of 8", or, where that does not fit, "only A has halving 4".
  const std::string where[] = {fill_in(who, pass_name(ui, now_.name, now_.number, now_.count)),
                               fill_in(who, short_pass_name(ui, now_))};
  const float wide = std::max(1.0f, (right - left) * 0.6f);
  right -= draw_text(ImGui::GetWindowDrawList(), ui.look, type::small, ui.colours().dim, {right, strip.centre},
                     longest_fitting(ui.look, type::small, where, wide), HAlign::right, wide) +
           ui.px(12);
  if (both())
    ways(ui, strip, left, right);
  else
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::small, ui.colours().dim, {left, strip.centre},
              fill_in(ui.tr(Label::compare_alone), a_.result == nullptr ? "A" : "B"), HAlign::left,
              std::max(1.0f, right - left));

  // As many columns as fit, those around the current one; each is wide enough for its work and its phase's name.
  Films films;
  films.x0 = strip.x0 + ui.px(30);
  films.top = strip.y1 + ui.px(10), films.bottom = rect.y + rect.height - ui.px(10);
  films.row_height = (films.bottom - films.top - ui.px(18)) / 2;
  float least = ui.look.measure(type::number, "32 × 32").x + ui.px(12);
  for (const ComparedSide* side : {&made_->a, &made_->b})
    for (const auto& [name, count] : side->names)
      least = std::max(least, ui.look.measure(type::number, phase_name(ui, name)).x + ui.px(7));
  const float room = strip.x1 - films.x0, most = ui.px(116);
  films.pitch = std::clamp(room / static_cast<float>(steps().size()), std::min(least, most), most);
  const auto visible = std::max<std::size_t>(1, static_cast<std::size_t>(room / films.pitch));
  if (steps().size() > visible)
    films.first = std::min(step_ > visible / 2 ? step_ - visible / 2 : 0, steps().size() - visible);
  films.last = std::min(steps().size(), films.first + visible);
  for (std::size_t i = films.first; i < films.last; ++i)
    films.crowded |= steps()[i].count > 1 &&
                     ui.look.measure(type::number, short_pass_name(ui, steps()[i])).x > films.pitch - ui.px(14);
  badge(ui, true, {strip.x0 + ui.px(10), films.top + films.row_height * 0.42f});
  badge(ui, false, {strip.x0 + ui.px(10), films.top + films.row_height * 1.42f});
  for (std::size_t i = films.first; i < films.last; ++i) column(ui, i, films);
  end_panel();
}

// How busy each warp is, and "8 × 16": warps at work, and lanes of the busiest.
void CompareView::work_cells(const Ui& ui, Side& side, bool is_a, std::size_t pass, ImVec2 at, const Films& films) {
  const BlockWork& work = work_of(side, pass);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float cell = films.cell(ui), height = films.row_height - ui.px(22), alpha = side.stale ? 0.5f : 1.0f;
  const auto warps = std::max<std::size_t>(1, work.lanes.size());
  const float pitch = cell / static_cast<float>(warps), gap = pitch > ui.px(5) ? ui.px(2) : 0;
  for (std::size_t w = 0; w < work.lanes.size(); ++w) {
    const float x = at.x + pitch * static_cast<float>(w);
    const ImVec2 a{x, at.y}, b{x + pitch - gap, at.y + height};
    list->AddRectFilled(a, b, with_alpha(ui.look.role(Role::inactive), alpha), ui.px(2));
    const float share = static_cast<float>(work.lanes[w]) / 32;
    list->AddRectFilled({a.x, b.y - height * share}, b, with_alpha(ui.look.role(role_of(is_a)), alpha),
                        share < 1 ? 0 : ui.px(2));
  }
  draw_text(list, ui.look, type::number, ui.colours().dim, {at.x, at.y + height + ui.px(10)},
            fmt::format("{} × {}", work.busy_warps(), work.most_lanes()), HAlign::left, cell);
}

// Where names do not fit beside one another, those that go on from the column before bear their number alone.
std::string CompareView::column_name(const Ui& ui, std::size_t step, const Films& films) const {
  const JointStep& of = steps()[step];
  const std::string name = short_pass_name(ui, of);
  if (of.count == 1) return name;
  const bool goes_on =
      step > films.first && steps()[step - 1].name == of.name && steps()[step - 1].number + 1 == of.number;
  const bool fits = ui.look.measure(type::number, name).x <= films.name_room(ui);
  if (goes_on && (films.crowded || !fits)) return std::to_string(of.number);
  return fits ? name : phase_name(ui, of.name);
}

void CompareView::column(const Ui& ui, std::size_t step, const Films& films) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const JointStep& of = steps()[step];
  const float x = films.x0 + films.pitch * static_cast<float>(step - films.first), cell = films.cell(ui);
  ImGui::SetCursorScreenPos({x - ui.px(4), films.top});
  ImGui::PushID(static_cast<int>(step));
  if (pressable("pass", {films.pitch - ui.px(4), films.bottom - films.top}))
    ui.window.afterwards([this, step] { go_to(step); });
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  if (step == step_ || hovered)
    list->AddRectFilled({x - ui.px(6), films.top - ui.px(4)}, {x + cell + ui.px(6), films.bottom + ui.px(4)},
                        step == step_ ? p.accent_soft : p.hover, ui.px(6));
  for (const bool is_a : {true, false}) {
    const std::optional<std::size_t>& pass = is_a ? of.a : of.b;
    const float y = is_a ? films.top : films.top + films.row_height;
    if (pass)
      work_cells(ui, is_a ? a_ : b_, is_a, *pass, {x, y}, films);
    else
      draw_text(list, ui.look, type::number, p.faint, {x + cell / 2, y + films.row_height * 0.4f}, "–", HAlign::centre);
  }
  draw_text(list, ui.look, type::number, step == step_ ? p.text : p.faint, {x, films.bottom - ui.px(9)},
            column_name(ui, step, films), HAlign::left, films.name_room(ui));
  if (!hovered) return;
  const auto said = [&](Side& side, const std::optional<std::size_t>& pass, const char* letter) {
    if (!pass) return std::string(letter) + ": –";
    const BlockWork& work = work_of(side, *pass);
    return fill_in(ui.tr(Label::warps_by_lanes), letter, std::to_string(work.busy_warps()),
                   std::to_string(work.most_lanes()));
  };
  show_hint(ui.look, said(a_, of.a, "A") + "\n" + said(b_, of.b, "B"), pass_name(ui, of.name, of.number, of.count));
}

}  // namespace lanescope::gui
