#include "gui/launch_choice.h"

namespace lanescope::gui {

std::string launch_text(const Ui& ui) {
  const Session& s = ui.session;
  if (s.launch_count() < 2) return {};
  return fill_in(ui.tr(Label::launch_of), std::to_string(s.launch()), std::to_string(s.launch_count()));
}

float launch_choice(const Ui& ui, float x, float centre_y) {
  Session& s = ui.session;
  const std::string said = launch_text(ui);
  if (said.empty()) return 0;
  const float height = ui.px(26), width = ui.look.measure(type::small_strong, said).x;
  ImGui::SetCursorScreenPos({x, centre_y - height / 2});
  ImGui::Dummy({width, height});
  std::string about = ui.tr(Label::launch_hint);
  if (s.shown()->repeats > 1)
    about += "\n" + fill_in(ui.tr(Label::launch_repeats), std::to_string(s.shown()->repeats));
  hint(ui.look, about, said + " · " + s.shown()->outcome.trace.kernel);
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::small_strong, ui.colours().text, {x, centre_y}, said);
  ImGui::PushID("launch");
  ImGui::SetCursorScreenPos({x + width + ui.px(4), centre_y - ui.px(10)});
  if (icon_button(ui.look, "down", Icon::previous, ui.tr(Label::launch_before), s.launch() > 1, 20))
    s.set_launch(s.launch() - 1);
  ImGui::SetCursorScreenPos({x + width + ui.px(22), centre_y - ui.px(10)});
  if (icon_button(ui.look, "up", Icon::next, ui.tr(Label::launch_after), s.launch() < s.launch_count(), 20))
    s.set_launch(s.launch() + 1);
  ImGui::PopID();
  return width + ui.px(42);
}

}  // namespace lanescope::gui
