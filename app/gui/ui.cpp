#include "gui/ui.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagram/phrases.h"

namespace lanescope::gui {

const char* code_of(Page page) {
  constexpr const char* names[] = {"read", "predict", "run", "see", "explain", "try"};
  return names[static_cast<std::size_t>(page)];
}
const char* code_of(WarpTab tab) {
  constexpr const char* names[] = {"sectors", "banks",  "shuffle", "groups",
                                   "atomics", "phases", "running"};
  return names[static_cast<std::size_t>(tab)];
}
const char* code_of(CodeTab tab) {
  constexpr const char* names[] = {"cuda", "ptx", "sass"};
  return names[static_cast<std::size_t>(tab)];
}

const char* code_of(StepsTab tab) {
  constexpr const char* names[] = {"steps", "schedules"};
  return names[static_cast<std::size_t>(tab)];
}

const char* code_of(TotalsTab tab) {
  constexpr const char* names[] = {"block", "launch", "all"};
  return names[static_cast<std::size_t>(tab)];
}

std::string fill_in(const char* pattern, const std::string& a, const std::string& b,
                    const std::string& c) {
  return diagram::filled(pattern, {a, b, c});
}

float stale_badge(const Ui& ui, float right, float centre_y) {
  const Session& s = ui.session;
  if (s.stale() || !s.shows_recorded())
    return stale_badge(ui, right, centre_y, s.variant_index());
  const Palette& p = ui.colours();
  const std::string said = fill_in(ui.tr(Label::recorded_on_gpu), s.gpu()->device.name);
  const float width = ui.look.measure(type::caption_strong, said).x + ui.px(16), half = ui.px(10);
  const ImVec2 a{right - width, centre_y - half}, b{right, centre_y + half};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, p.raised, half);
  list->AddRect(a, b, p.line, half, std::max(1.0f, ui.px(1)));
  draw_text(list, ui.look, type::caption_strong, p.text, {(a.x + b.x) / 2, centre_y}, said, HAlign::centre);
  if (ImGui::IsMouseHoveringRect(a, b))
    show_hint(ui.look, fill_in(ui.tr(Label::show_recorded_hint), label_of(s.gpu()->device)));
  return width;
}

float stale_badge(const Ui& ui, float right, float centre_y, std::size_t variant) {
  const Session& s = ui.session;
  if (!s.stale(variant)) return 0;
  const Palette& p = ui.colours();
  const bool failed = !s.problems(variant).empty() && !s.running().busy;
  const char* said = ui.tr(s.running().busy ? Label::stale_running
                           : failed         ? Label::stale_failed
                                            : Label::stale_edited);
  const float width = ui.look.measure(type::caption_strong, said).x + ui.px(16);
  const float half = ui.px(10);
  const ImVec2 a{right - width, centre_y - half}, b{right, centre_y + half};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, mix(p.panel, p.wasted, 0.2f), half);
  list->AddRect(a, b, p.wasted, half, std::max(1.0f, ui.px(1)));
  draw_text(list, ui.look, type::caption_strong, p.text, {(a.x + b.x) / 2, centre_y}, said,
            HAlign::centre);
  if (ImGui::IsMouseHoveringRect(a, b)) show_hint(ui.look, ui.tr(Label::stale_hint));
  return width;
}

Label why_nothing(const Session& s) {
  if (s.variant().gpu_only) return Label::gpu_only;
  if (s.running().busy) return Label::running;
  return s.problems().empty() ? Label::no_run_yet : Label::no_picture_failed;
}

std::string number_text(double value, const std::string& unit) {
  std::string digits;
  if (unit == "%") {
    // As diagram::percent() rounds: the same share is the same number in a caption and in a table.
    double shown = std::round(value * 10) / 10;
    if (shown >= 100 && value < 100) shown = 99.9;
    if (shown <= 0 && value > 0) shown = 0.1;
    digits = fmt::format("{:.1f}", shown);
  } else if (value == std::floor(value) && std::abs(value) < 1e15) {
    digits = grouped(static_cast<std::int64_t>(value));
  } else {
    digits = fmt::format("{:.2f}", value);
  }
  return unit == "%" || unit == "B" ? digits + " " + unit : digits;
}

std::string number_text(const metrics::Measurement& n) {
  return n.applicable ? number_text(n.value, n.unit) : "–";
}

}  // namespace lanescope::gui
