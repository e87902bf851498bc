#include "gui/code/file_changed.h"

#include <string>

namespace lanescope::gui {

float draw_file_changed(const Ui& ui, const PanelRect& panel, float y) {
  Session& s = ui.session;
  if (!s.selection.edit_outdated()) return 0;
  const Palette& p = ui.colours();
  const float pad = ui.px(16), width = panel.width - 2 * pad;
  const std::string said = ui.tr(Label::file_changed);
  const float text = ui.look.measure(type::small, said, width).y, button_height = ui.px(34);
  const float height = ui.px(8) + text + ui.px(6) + button_height + ui.px(8);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 a{panel.x + ui.px(1), y}, b{panel.x + panel.width - ui.px(1), y + height};
  list->AddRectFilled(a, b, mix(p.panel, p.wasted, 0.12f));
  list->AddRectFilled({a.x, b.y - ui.px(1)}, b, p.line);
  draw_paragraph(list, ui.look, type::small, p.text, {panel.x + pad, y + ui.px(8)}, said, width);
  const float row = b.y - ui.px(8) - button_height;
  const char *const keep = ui.tr(Label::file_keep_edit), *const take = ui.tr(Label::file_take);
  ImGui::SetCursorScreenPos({panel.x + pad, row});
  if (button(ui.look, "keep edit", keep, ButtonKind::plain)) ui.window.afterwards([&s] { s.selection.keep_edit(); });
  hint(ui.look, ui.tr(Label::file_keep_hint));
  ImGui::SetCursorScreenPos({panel.x + pad + button_width(ui.look, keep, {}, false) + ui.px(8), row});
  if (button(ui.look, "take file", take, ButtonKind::plain))
    ui.window.afterwards([&s, &window = ui.window] { window.load_code = s.take_file(); });
  hint(ui.look, ui.tr(Label::file_take_hint));
  return height;
}

}  // namespace lanescope::gui
