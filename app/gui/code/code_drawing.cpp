#include "gui/code/code_drawing.h"

#include <algorithm>

#include "core/text.h"
#include "gui/code/code_heat.h"

namespace lanescope::gui {

diagram::Scene code_drawing(const Ui& ui) {
  using diagram::Align;
  using diagram::Face;
  constexpr float width = 820, row = 20, text = 13, code_x = 44;
  const Session& s = ui.session;
  diagram::Scene scene;
  scene.width = width;
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
  double most = 0;
  for (const LineCost& cost : result.lines) most = std::max(most, heat_of(cost, ui.window.heat).value);
  int number = 0;
  float y = 0;
  for (const std::string_view line : split(result.key.source, '\n')) {
    ++number;
    const float centre = y + row / 2;
    if (number == current) scene.rects.push_back({0, y, width, row, 2, Role::selected});
    put(code_x - 12, centre, std::to_string(number), Role::faint, Align::right);
    put(code_x, centre, std::string(line), Role::text, Align::left);
    y += row;
    const LineCost* cost = result.line(number);
    const HeatValue value = cost == nullptr ? HeatValue{} : heat_of(*cost, ui.window.heat);
    if (!value.any) continue;
    const bool worse = is_worse(ui.window.heat, value);
    const double share = ui.window.heat == Heat::lanes ? value.value : most > 0 ? value.value / most : 0;
    const float length = std::max(3.0f, static_cast<float>(share) * 60), right = width - 70;
    scene.rects.push_back({right - length, centre - 4, length, 8, 2, worse ? Role::wasted : Role::executed,
                           worse ? diagram::Pattern::hatched : diagram::Pattern::solid});
    put(width - 4, centre, heat_text(ui.window.heat, value), worse ? Role::wasted : Role::dim, Align::right);
  }
  scene.height = y;
  return scene;
}

}  // namespace lanescope::gui
