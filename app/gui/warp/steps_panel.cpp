#include "gui/warp/steps_panel.h"

// The film of one warp's masks, and the controls to move through it.

#include <algorithm>
#include <string>
#include <string_view>

#include "gui/parts/covers.h"
#include "gui/parts/tabs.h"

namespace lanescope::gui {

// "Find ▾": a list of what to go to next, with keys; its right edge is at `right`. Returns its width.
float StepsPanel::search(const Ui& ui, float right, float centre) {
  struct Row {
    const char* id;
    Label name;
    Sought what;
    const char* key;
  };
  const Row rows[] = {{"divergent", Label::seek_divergent, Sought::divergent_branch, "D"},
                      {"worst", Label::seek_worst, Sought::worst_request, "W"},
                      {"line", Label::seek_line, Sought::access_of_line, "L"}};
  const float width = chip_width(ui.look, ui.tr(Label::seek));
  ImGui::SetCursorScreenPos({right - width, centre - ui.px(15)});
  if (chip(ui.look, "find step", ui.tr(Label::seek), false, false)) ImGui::OpenPopup("steps to find");
  hint(ui.look, ui.tr(Label::seek_hint));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  ImGui::SetNextWindowPos({right, centre - ui.px(20)}, ImGuiCond_Always, {1, 1});
  if (ImGui::BeginPopup("steps to find", ImGuiWindowFlags_NoMove)) {
    float wide = 0;
    for (const Row& row : rows) wide = std::max(wide, button_width(ui.look, ui.tr(row.name), row.key, false));
    for (const Row& row : rows)
      if (button(ui.look, row.id, ui.tr(row.name), ButtonKind::quiet, row.key, -1, wide)) {
        ui.window.afterwards([&s = ui.session, what = row.what] { s.summaries.go_to(what, 1); });
        ImGui::CloseCurrentPopup();
      }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return width;
}

float StepsPanel::tabs(const Ui& ui, const Strip& strip) {
  std::vector<TabItem> tabs;
  float x = strip.x0 + ui.px(36);
  for (int i = 0; i < static_cast<int>(StepsTab::count_); ++i) {
    const auto each = static_cast<StepsTab>(i);
    tabs.push_back({code_of(each), ui.tr(tab_label(each))});
    x += ui.look.measure(type::small_strong, tabs.back().label).x;
  }
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  StepsTab& tab = ui.window.steps_tab;
  tab = static_cast<StepsTab>(tab_strip(ui.look, "steps tabs", tabs, static_cast<int>(tab), 42, x - ui.px(16)));
  return x;
}

// From the right: last, next, previous, first.
float StepsPanel::buttons(const Ui& ui, const Strip& strip) {
  struct Control {
    const char* id;
    Icon icon;
    Label what;
    std::ptrdiff_t delta;
    bool enabled;
  };
  Session& s = ui.session;
  const std::size_t count = s.place.step_count(), step = s.place.position().step;
  const auto n = static_cast<std::ptrdiff_t>(count);
  const bool before = step > 0, after = step + 1 < count;
  const Control controls[] = {{"last", Icon::last, Label::step_last, n, after},
                              {"next", Icon::next, Label::step_next, 1, after},
                              {"previous", Icon::previous, Label::step_previous, -1, before},
                              {"first", Icon::first, Label::step_first, -n, before}};
  float right = strip.x1 + ui.px(6);
  ImGui::PushID("steps");
  for (const Control& c : controls) {
    right -= ui.px(28);
    ImGui::SetCursorScreenPos({right, strip.centre - ui.px(13)});
    if (icon_button(ui.look, c.id, c.icon, ui.tr(c.what), c.enabled)) s.place.step_by(c.delta);
  }
  ImGui::PopID();
  return right;
}

namespace {

// What the longest "8 of 10" takes: nothing beside it may move while stepping.
float room_for_count(const Ui& ui, std::size_t count) {
  char widest = '0';
  float most = 0;
  for (char digit = '0'; digit <= '9'; ++digit)
    if (const float wide = ui.look.measure(type::small, std::string_view(&digit, 1)).x; wide > most)
      most = wide, widest = digit;
  std::string step = grouped(std::uint64_t{count});
  std::ranges::replace_if(
      step, [](char c) { return c >= '0' && c <= '9'; }, widest);
  return ui.look.measure(type::small, fill_in(ui.tr(Label::step_of), step, grouped(std::uint64_t{count}))).x;
}

}  // namespace

// Laid out from the right: the buttons, the count, and the slider or the map in the room that is left.
void StepsPanel::controls(const Ui& ui, const Strip& strip, float left) {
  Session& s = ui.session;
  const Position at = s.place.position();
  const std::size_t count = s.place.step_count();
  float right = buttons(ui, strip) - ui.px(10);
  const std::string said =
      fill_in(ui.tr(Label::step_of), grouped(std::uint64_t{at.step + 1}), grouped(std::uint64_t{count}));
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::small, ui.colours().dim, {right, strip.centre}, said,
            HAlign::right);
  right -= room_for_count(ui, count) + ui.px(12);
  if (const float badge = stale_badge(ui, right, strip.centre); badge > 0) right -= badge + ui.px(12);
  if (!covers(ui).picture) right -= search(ui, right, strip.centre) + ui.px(12);
  const float room = right - left;
  if (room <= ui.px(80)) return;
  if (!film_.shows_all() && !covers(ui).picture) return film_.map(ui, left, strip.centre, room);
  const float width = std::min(room, ui.px(420));
  ImGui::SetCursorScreenPos({right - width, strip.centre - ui.px(10)});
  std::size_t step = at.step;
  if (scrubber(ui.look, "scrub", step, count, width)) s.place.set_step(step);
}

void StepsPanel::draw(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "steps", rect);
  const Session& s = ui.session;
  const Strip strip = panel_strip(ui.look);
  const float left = tabs(ui, strip);
  const PanelRect body{rect.x, strip.y1, rect.width, rect.y + rect.height - strip.y1 - ui.px(2)};
  if (ui.window.steps_tab == StepsTab::schedules) {
    schedules_.controls(ui, strip);
    // A result of schedules may also be a number that a question asks for.
    if (s.schedules.orders() != nullptr && covers(ui).counts)
      draw_cover(ui, "covered schedules", body, nullptr);
    else
      schedules_.draw(ui, body);
  } else if (s.place.step_count() == 0) {
    ImGui::SetCursorScreenPos({strip.x0, strip.y1 + ui.px(14)});
    paragraph(ui.look, type::small, ui.colours().dim,
              s.runs.shown() != nullptr ? ui.tr(Label::no_events_kept) : why_nothing(ui), strip.x1 - strip.x0);
  } else {
    controls(ui, strip, left);
    if (covers(ui).picture)
      draw_cover(ui, "covered film", body, nullptr);
    else
      film_.draw(ui, body);
  }
  end_panel();
}

}  // namespace lanescope::gui
