#include "gui/warp/steps_panel.h"

// The film of one warp's masks, and the controls that move through it.

#include <algorithm>
#include <cmath>

#include "diagram/views.h"
#include "gui/parts/covers.h"

namespace lanescope::gui {

void StepsPanel::draw(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "steps", rect);
  Session& s = ui.session;
  const Strip strip = panel_strip(ui.look);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const TabItem tabs[] = {{code_of(StepsTab::steps), ui.tr(Label::steps)},
                          {code_of(StepsTab::schedules), ui.tr(Label::schedules)}};
  float x = strip.x0 + ui.px(36);
  for (const TabItem& tab : tabs) x += ui.look.measure(type::small_strong, tab.label).x;
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  StepsTab& tab = ui.window.steps_tab;
  tab = static_cast<StepsTab>(tab_strip(ui.look, "steps tabs", tabs, static_cast<int>(tab), 42, x - ui.px(16)));
  if (tab == StepsTab::schedules) {
    schedules_.controls(ui, strip);
    const PanelRect body{rect.x, strip.y1, rect.width, rect.y + rect.height - strip.y1 - ui.px(2)};
    // What came out is a number that is asked for, too.
    if (s.schedules.orders() != nullptr && covers(ui).counts)
      draw_cover(ui, "covered schedules", body, nullptr);
    else
      schedules_.draw(ui, body);
    end_panel();
    return;
  }
  const std::size_t count = s.place.step_count();
  if (count == 0) {
    ImGui::SetCursorScreenPos({strip.x0, strip.y1 + ui.px(14)});
    paragraph(ui.look, type::small, ui.colours().dim,
              ui.tr(s.runs.shown() != nullptr ? Label::no_events_kept : why_nothing(s)), strip.x1 - strip.x0);
    end_panel();
    return;
  }
  const Position at = s.place.position();
  // From the right: last, next, previous, first, then the count and the handle between.
  struct Control {
    const char* id;
    Icon icon;
    Label what;
    std::ptrdiff_t delta;
    bool enabled;
  };
  const auto n = static_cast<std::ptrdiff_t>(count);
  const bool before = at.step > 0, after = at.step + 1 < count;
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
  right -= ui.px(10);
  const std::string said =
      fill_in(ui.tr(Label::step_of), grouped(std::uint64_t{at.step + 1}), grouped(std::uint64_t{count}));
  right -=
      draw_text(list, ui.look, type::small, ui.colours().dim, {right, strip.centre}, said, HAlign::right) + ui.px(12);
  if (const float badge = stale_badge(ui, right, strip.centre); badge > 0) right -= badge + ui.px(12);
  if (right - x > ui.px(80)) {
    const float width = std::min(right - x, ui.px(420));
    ImGui::SetCursorScreenPos({right - width, strip.centre - ui.px(10)});
    std::size_t step = at.step;
    if (scrubber(ui.look, "scrub", step, count, width)) s.place.set_step(step);
  }

  if (covers(ui).picture) {
    draw_cover(ui, "covered film", {rect.x, strip.y1, rect.width, rect.y + rect.height - strip.y1 - ui.px(2)}, nullptr);
    end_panel();
    return;
  }
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::BeginChild("film", {rect.width, rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  hover_.begin_frame();
  const float k = ui.look.scale();
  const float height = rect.y + rect.height - strip.y1 - ui.px(22);
  // Rows of whole pixels look alike; the picture keeps 26 for its labels and margins.
  const float labels = 26 * k;
  const float row = std::clamp(std::floor((height - labels) / 32), 2.0f, 6.0f * k);
  const diagram::Options options = ui.picture((rect.width - ui.px(32)) / k, (32 * row + labels) / k);
  const Shown wanted{s.runs.shown()->serial, at.block,           at.warp,         s.place.position().step,
                     options.width,          options.max_height, options.language};
  if (wanted != shown_) {
    shown_ = wanted;
    scene_ = diagram::film(s.runs.shown()->outcome.first().trace, at.block, at.warp, s.place.position().step, options);
  }
  const int tag = film_.show(scene_, ui.look, "masks", hover_, false, 1, picture_alpha(ui));
  if (tag >= 0 && scene_.tags[static_cast<std::size_t>(tag)].step >= 0)
    s.place.set_step(static_cast<std::size_t>(scene_.tags[static_cast<std::size_t>(tag)].step));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_panel();
}

}  // namespace lanescope::gui
