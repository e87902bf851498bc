#pragma once
// The small controls of the launch form: a button that opens a list, a box with a tick, a list.

#include <algorithm>
#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

constexpr float field_height = 28;  // device-independent pixels; of a row of the form

// A small button with an arrow, or a text; opens a list.
inline bool form_press(const Ui& ui, const char* id, const std::string& text, float width, bool arrow) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 to{at.x + width, at.y + ui.px(field_height)};
  const bool pressed = pressable(id, {width, ui.px(field_height)});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& p = ui.colours();
  list->AddRectFilled(at, to, hovered ? mix(p.raised, p.text, 0.08f) : p.raised, ui.px(6));
  const float centre = (at.y + to.y) / 2, end = arrow ? ui.px(16) : 0;
  if (!text.empty())
    draw_text(list, ui.look, type::number, p.text, {at.x + ui.px(8), centre}, text, HAlign::left,
              width - ui.px(12) - end);
  if (arrow) draw_icon(list, ui.look, Icon::down, {to.x - ui.px(text.empty() ? 14.0f : 11.0f), centre}, p.dim, 7);
  return pressed;
}

// A box with a tick, and its text.
inline bool form_choice(const Ui& ui, const char* id, const char* text, bool on, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(field_height), centre = at.y + height / 2, half = ui.px(8);
  const bool pressed = pressable(id, {width, height});
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& p = ui.colours();
  const ImVec2 a{at.x + ui.px(4), centre - half}, b{a.x + 2 * half, centre + half};
  list->AddRectFilled(a, b, on ? p.accent : p.raised, ui.px(4));
  list->AddRect(a, b, on ? p.accent : p.dim, ui.px(4), std::max(1.0f, ui.px(1)));
  if (on) draw_icon(list, ui.look, Icon::check, {a.x + half, centre}, p.accent_ink, 8);
  draw_text(list, ui.look, type::small, p.text, {b.x + ui.px(8), centre}, text, HAlign::left,
            at.x + width - b.x - ui.px(8));
  return pressed;
}

class FormList {
 public:
  FormList(const Ui& ui, const char* id) : ui_(ui) {
    place_list_at_item(ui.look);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
    open_ = ImGui::BeginPopup(id);
  }
  ~FormList() {
    if (open_) ImGui::EndPopup();
    ImGui::PopStyleVar();
  }
  FormList(const FormList&) = delete;
  FormList& operator=(const FormList&) = delete;
  explicit operator bool() const { return open_; }
  bool row(const std::string& text, const char* id, bool chosen = false) const {
    return ImGui::Selectable((text + "###" + id).c_str(), chosen, 0, {ui_.px(220), ui_.px(22)});
  }

 private:
  const Ui& ui_;
  bool open_ = false;
};

}  // namespace lanescope::gui
