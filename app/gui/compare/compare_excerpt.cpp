// The code beside a step of the comparing view, and what its lines cost.

#include <algorithm>

#include "core/text.h"
#include "diagram/words.h"
#include "gui/compare/compare_parts.h"
#include "metrics/request_cost.h"

namespace lanescope::gui {
namespace {

// "4 sectors": never a number without what it counts.
struct Cost {
  std::string text;
  bool worse = false;  // than it could be
  Label about = Label::line_here;
};

Cost cost_of(const Ui& ui, const trace::Trace& trace, const trace::WarpEvent& event) {
  if (event.kind != trace::EventKind::memory || event.executed.empty()) return {};
  const metrics::RequestCost cost = metrics::cost(trace, event);
  if (cost.wavefronts > 0)
    return {fill_in(ui.tr(Label::line_wavefronts), std::to_string(cost.wavefronts)),
            cost.wavefronts > cost.ideal_wavefronts};
  if (cost.sectors == 0) return {};
  return {fill_in(ui.tr(Label::line_sectors), std::to_string(cost.sectors)), cost.sectors > cost.ideal_sectors};
}

// Of the step's own line the number is that of the step.
std::string average(const Ui& ui, const std::string& cost) {
  return fill_in(ui.tr(Label::line_average), cost);
}

Cost mean_of(const Ui& ui, const LineCost& line) {
  for (const Heat heat : {Heat::wavefronts_per_request, Heat::sectors_per_request}) {
    const HeatValue value = heat_of(line, heat);
    if (!value.any) continue;
    const bool sectors = heat == Heat::sectors_per_request;
    return {average(ui, fill_in(ui.tr(sectors ? Label::line_sectors : Label::line_wavefronts),
                                number_text(value.value, ""))),
            value.value > value.ideal + 1e-9, Label::line_mean};
  }
  for (const LineEntry& entry : line.entries) {
    if (entry.totals.divergent == 0) continue;
    const double share = static_cast<double>(entry.totals.divergent) / static_cast<double>(entry.totals.executions);
    return {average(ui, fill_in(ui.tr(Label::line_divergent), diagram::percent(share, 1))), true, Label::line_mean};
  }
  return {};
}

struct ExcerptLine {
  int number = 0;
  std::string_view code;
  Cost cost;
};

int line_of(const Excerpt& excerpt) {
  return excerpt.result.outcome.first().trace.sites[excerpt.event.site].line;
}

std::vector<ExcerptLine> excerpt_lines(const Ui& ui, const Excerpt& excerpt) {
  const auto lines = split(excerpt.result.key.source, '\n');
  const int count = static_cast<int>(lines.size()), line = line_of(excerpt), around = excerpt.around;
  const int first = std::clamp(line - around, 1, std::max(1, count - 2 * around));
  std::vector<ExcerptLine> made;
  for (int n = first; n <= std::min(count, first + 2 * around); ++n) {
    const Cost own = n == line ? cost_of(ui, excerpt.result.outcome.first().trace, excerpt.event) : Cost{};
    const LineCost* known = excerpt.result.line(n);
    made.push_back({n, without_mark(lines[static_cast<std::size_t>(n) - 1]),
                    own.text.empty() && known != nullptr ? mean_of(ui, *known) : own});
  }
  return made;
}

}  // namespace

std::string_view without_mark(std::string_view line) {
  const std::size_t mark = line.find("// @");
  if (mark == std::string_view::npos || line.substr(mark).starts_with("// @phase")) return line;
  const std::size_t end = line.substr(0, mark).find_last_not_of(' ');
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
}

bool fits_as_code(const Ui& ui, const Excerpt& excerpt, float width) {
  return std::ranges::all_of(excerpt_lines(ui, excerpt), [&](const ExcerptLine& line) {
    const float taken = line.cost.text.empty() ? 0 : ui.look.measure(type::number, line.cost.text).x + ui.px(12);
    return ui.look.measure(type::code, line.code).x <= width - ui.px(16 + 52) - taken;
  });
}

void draw_excerpt(const Ui& ui, const Excerpt& excerpt, TypeStyle style, float row_dip, float alpha) {
  const Palette& p = ui.colours();
  const float row = ui.px(row_dip), width = ImGui::GetWindowWidth();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int current = line_of(excerpt);
  for (const auto& [n, code, cost] : excerpt_lines(ui, excerpt)) {
    const ImVec2 at{ImGui::GetWindowPos().x, ImGui::GetCursorScreenPos().y};
    if (n == current) {
      list->AddRectFilled({at.x + ui.px(1), at.y}, {at.x + width - ui.px(1), at.y + row}, p.accent_soft);
      list->AddRectFilled({at.x + ui.px(1), at.y}, {at.x + ui.px(4), at.y + row}, p.accent);
    }
    const float y = at.y + row / 2;
    draw_text(list, ui.look, type::number, n == current ? p.text : p.faint, {at.x + ui.px(36), y}, std::to_string(n),
              HAlign::right);
    float right = at.x + width - ui.px(16);
    if (!cost.text.empty())
      right -= draw_text(list, ui.look, type::number, with_alpha(cost.worse ? p.wasted_text : p.dim, alpha), {right, y},
                         cost.text, HAlign::right) +
               ui.px(12);
    bool cut = false;
    draw_text(list, ui.look, style, n == current ? p.text : mix(p.dim, p.text, 0.6f), {at.x + ui.px(52), y}, code,
              HAlign::left, right - at.x - ui.px(52), &cut);
    ImGui::Dummy({width - ui.px(32), row});
    if (cut)
      hint(ui.look, code);
    else if (!cost.text.empty())
      hint(ui.look, ui.tr(cost.about), cost.text);
  }
}

}  // namespace lanescope::gui
