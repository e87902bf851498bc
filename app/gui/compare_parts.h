#pragma once
// What the parts of the comparing view share: how A and B are told apart, and how a step is named.

#include <string>

#include "gui/ui.h"

namespace lanescope::gui {

inline Role role_of(bool is_a) {
  return is_a ? Role::variant_a : Role::variant_b;
}

// "A" or "B" in its colour.
inline void badge(const Ui& ui, bool is_a, ImVec2 centre) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(centre, ui.px(10), ui.look.role(role_of(is_a)));
  draw_text(list, ui.look, type::caption_strong, ui.look.ink(role_of(is_a)), centre,
            is_a ? "A" : "B", HAlign::centre);
}

// "halving 2 of 8"; a pass without a name is the whole kernel.
inline std::string pass_name(const Ui& ui, const std::string& name, int number, int count) {
  if (name.empty()) return ui.tr(Label::whole_kernel);
  if (count == 1) return name;
  return fill_in(ui.tr(Label::pass_of), name, std::to_string(number), std::to_string(count));
}

// The lines of a variant's code around `line`, `around` on either side, `row` px each, with what they cost.
// `event`: the step's, which is of that line. Paints as wide as the window; `alpha` fades the numbers.
void excerpt(const Ui& ui, const RunResult& result, int line, const trace::WarpEvent& event, int around, float row,
             float alpha);

}  // namespace lanescope::gui
