#include "gui/parts/launch_choice.h"

namespace lanescope::gui {
namespace {

LaunchShown on_screen(const Ui& ui) {
  const Session& s = ui.session;
  return {s.runs.shown(), s.runs.launch(), s.runs.launch_count()};
}

}  // namespace

std::string launch_text(const Ui& ui, const LaunchShown& shown) {
  if (shown.count < 2) return {};
  std::string said = fill_in(ui.tr(Label::launch_of), std::to_string(shown.launch), std::to_string(shown.count));
  if (shown.result != nullptr && shown.result->first_repeat_alone)
    said += " · " + fill_in(ui.tr(Label::launch_first_repeat), std::to_string(shown.result->repeats));
  return said;
}

std::string launch_text(const Ui& ui) {
  return launch_text(ui, on_screen(ui));
}

float launch_choice(const Ui& ui, const LaunchShown& shown, float x, float centre_y, int& chosen) {
  const std::string said = launch_text(ui, shown);
  if (said.empty() || shown.result == nullptr) return 0;
  const float height = ui.px(26), width = ui.look.measure(type::small_strong, said).x;
  ImGui::SetCursorScreenPos({x, centre_y - height / 2});
  ImGui::Dummy({width, height});
  std::string about = ui.tr(Label::launch_hint);
  if (shown.result->repeats > 1 && !shown.result->first_repeat_alone)
    about += "\n" + fill_in(ui.tr(Label::launch_repeats), std::to_string(shown.result->repeats));
  hint(ui.look, about, said + " · " + shown.result->outcome.first().trace.kernel);
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, ui.colours().text, {x, centre_y}, said);
  ImGui::PushID("launch");
  ImGui::SetCursorScreenPos({x + width + ui.px(4), centre_y - ui.px(10)});
  if (icon_button(ui.look, "down", Icon::previous, ui.tr(Label::launch_before), shown.launch > 1, 20)) --chosen;
  ImGui::SetCursorScreenPos({x + width + ui.px(22), centre_y - ui.px(10)});
  if (icon_button(ui.look, "up", Icon::next, ui.tr(Label::launch_after), shown.launch < shown.count, 20)) ++chosen;
  ImGui::PopID();
  return width + ui.px(42);
}

float launch_choice(const Ui& ui, float x, float centre_y) {
  Session& s = ui.session;
  int chosen = s.runs.launch();
  const float width = launch_choice(ui, on_screen(ui), x, centre_y, chosen);
  if (chosen != s.runs.launch()) ui.window.afterwards([&s, chosen] { s.runs.set_launch(chosen); });
  return width;
}

}  // namespace lanescope::gui
