#include "gui/code/code_drawing.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/text.h"
#include "diagram/words.h"
#include "gui/code/code_heat.h"

namespace lanescope::gui {
namespace {

// An SVG shows a tab as one space; the editor, as far as the next even column.
std::string with_spaces(std::string_view line) {
  std::string text;
  for (const char c : line)
    if (c == '\t')
      text.append(2 - text.size() % 2, ' ');
    else if (c != '\r')
      text += c;
  return text;
}

}  // namespace

diagram::Scene code_drawing(const Ui& ui) {
  using diagram::Align;
  using diagram::Face;
  constexpr float row = 20, text = 13, code_x = 44, bar = 60, figure = 70;
  const Session& s = ui.session;
  diagram::Scene scene;
  scene.language = ui.window.settings.language;
  scene.title = ui.say_plain(s.selection.lesson().title) + " · " + ui.say_plain(s.selection.variant().title);
  scene.subtitle = std::string(ui.tr(heat_label(ui.window.heat))) + " · " +
                   ui.tr(s.runs.shows_recorded() ? Label::witness_recorded : Label::interpreted);
  const RunResult& result = *s.runs.shown();
  const trace::Site* site = s.place.site();
  const int current = site != nullptr && site->file == result.outcome.request.source.name ? site->line : 0;
  const auto put = [&](float x, float y, std::string said, Role role, Align align) {
    diagram::Label label{x, y, text, align, Face::mono, role};
    label.text = std::move(said);
    scene.labels.push_back(std::move(label));
  };
  std::vector<std::string> lines;
  for (const std::string_view line : split(result.key.source, '\n')) lines.push_back(with_spaces(line));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  // As wide as the code needs beside its numbers: nothing lies over it.
  float width = 820;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const LineCost* cost = result.line(static_cast<int>(i) + 1);
    const bool counted = cost != nullptr && heat_of(*cost, ui.window.heat).any;
    width =
        std::max(width, code_x + diagram::text_width(lines[i], text, Face::mono) + 8 + (counted ? bar + figure : 0));
  }
  scene.width = width;
  double most = 0;
  for (const LineCost& cost : result.lines) most = std::max(most, heat_of(cost, ui.window.heat).value);
  int number = 0;
  float y = 0;
  for (const std::string& line : lines) {
    ++number;
    const float centre = y + row / 2;
    if (number == current) scene.rects.push_back({0, y, width, row, 2, Role::selected});
    put(code_x - 12, centre, std::to_string(number), Role::faint, Align::right);
    put(code_x, centre, line, Role::text, Align::left);
    y += row;
    const LineCost* cost = result.line(number);
    const HeatValue value = cost == nullptr ? HeatValue{} : heat_of(*cost, ui.window.heat);
    if (!value.any) continue;
    const bool worse = is_worse(ui.window.heat, value);
    const double share = ui.window.heat == Heat::lanes ? value.value : most > 0 ? value.value / most : 0;
    const float length = std::max(3.0f, static_cast<float>(share) * bar), right = width - figure;
    scene.rects.push_back({right - length, centre - 4, length, 8, 2, worse ? Role::wasted : Role::executed,
                           worse ? diagram::Pattern::hatched : diagram::Pattern::solid});
    put(width - 4, centre, heat_text(ui.window.heat, value), worse ? Role::wasted : Role::dim, Align::right);
  }
  scene.height = y;
  return scene;
}

}  // namespace lanescope::gui
