#include "gui/warp/values_rows.h"

#include "core/worded.h"
#include "gui/kit/widgets.h"

namespace lanescope::gui {

std::string step_name(const Ui& ui, const sim::Step& step) {
  return ui.told(worded("step {}", std::uint64_t{step.sequence} + 1));
}

bool origin_row(const Ui& ui, const char* id, const std::string& what, const std::string& why, bool leads) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = ui.px(16), width = ImGui::GetContentRegionAvail().x, height = ui.px(21), y = at.y + height / 2;
  ImGui::BeginDisabled(!leads);
  const bool pressed = leads ? pressable(id, {width, height}) : ImGui::InvisibleButton(id, {width, height});
  ImGui::EndDisabled();
  const bool hovered = leads && ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled(at, {at.x + width, at.y + height}, p.hover, ui.px(4));
  }
  if (leads) draw_icon(list, ui.look, Icon::next, {at.x + ui.px(6), y}, p.accent, 7);
  bool cut = false;
  const float used =
      draw_text(list, ui.look, type::number, p.text, {at.x + indent, y}, what, HAlign::left, width - indent, &cut);
  const float left = at.x + indent + used + (used > 0 ? ui.px(10) : 0), room = at.x + width - left;
  bool why_cut = false;
  if (room > ui.px(30)) draw_text(list, ui.look, type::caption, p.dim, {left, y}, why, HAlign::left, room, &why_cut);
  if (cut || why_cut || room <= ui.px(30))
    hint(ui.look, why, what);
  else if (leads)
    hint(ui.look, ui.tr(Label::values_go));
  return pressed;
}

std::string of_line(const Ui& ui, int line) {
  return line > 0 ? " · " + fill_in(ui.tr(Label::line_number), std::to_string(line)) : "";
}

}  // namespace lanescope::gui
