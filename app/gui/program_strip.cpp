#include "gui/program_strip.h"

#include <filesystem>

#include <fmt/format.h>

namespace lanescope::gui {

float program_strip_height(const Session& session) {
  return session.program.busy() ? 40.0f : 0.0f;
}

void draw_program_strip(const Ui& ui, const PanelRect& rect) {
  const ProgramRun::Status status = ui.session.program.status();
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 a{rect.x, rect.y}, b{rect.x + rect.width, rect.y + rect.height};
  list->AddRectFilled(a, b, p.panel);
  list->AddRectFilled(a, b, p.accent_soft);
  list->AddRectFilled({a.x, b.y - ui.px(1)}, b, p.line);
  const float centre = rect.y + rect.height / 2, gap = ui.px(18);
  const char* const stop = ui.tr(Label::stop);
  const float button = button_width(ui.look, stop, {}, false), right = b.x - ui.px(12) - button;
  ImGui::SetCursorScreenPos({right, centre - ui.px(17)});
  if (gui::button(ui.look, "stop program", stop, ButtonKind::plain, {}, -1, button, !status.stopping))
    ui.session.stop();
  hint(ui.look, ui.tr(Label::stop_program));
  float x = rect.x + ui.px(20);
  const auto say = [&](TypeStyle style, ImU32 colour, const std::string& text) {
    if (x < right - gap)
      x += draw_text(list, ui.look, style, colour, {x, centre}, text, HAlign::left, right - gap - x) + gap;
  };
  const std::string name = std::filesystem::path(status.program.file).filename().generic_string();
  say(type::small_strong, p.text, fill_in(ui.tr(status.stopping ? Label::program_stops : Label::program_runs), name));
  say(type::number, p.dim, fill_in(ui.tr(Label::program_seconds), fmt::format("{:.1f}", status.seconds)));
  if (status.launches > 0) say(type::number, p.dim, fill_in(ui.tr(Label::saved_launches), grouped(status.launches)));
  say(type::number, p.dim, status.last_line);
}

}  // namespace lanescope::gui
