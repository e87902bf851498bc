#pragma once
// Shared by the parts of the comparing view: the look of A and B, and the names of steps.

#include <string>

#include "gui/compare/compare_model.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

// Device-independent pixels: a picture's title, with little room also, and the space between pictures.
constexpr float head_height = 32, low_head_height = 26, gap_height = 8;

inline Role role_of(bool is_a) {
  return is_a ? Role::variant_a : Role::variant_b;
}

// "A" or "B" in its colour.
inline void badge(const Ui& ui, bool is_a, ImVec2 centre) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(centre, ui.px(10), ui.look.role(role_of(is_a)));
  draw_text(list, ui.look, type::caption_strong, ui.look.ink(role_of(is_a)), centre, is_a ? "A" : "B", HAlign::centre);
}

// What the lesson calls a phase, in the language on screen; the whole kernel where it has none.
inline std::string phase_name(const Ui& ui, const std::string& name) {
  if (name.empty()) return ui.tr(Label::whole_kernel);
  return lesson::phase_title(ui.session.selection.lesson().phases, name, code_of(ui.window.settings.language));
}

// "halving 2 of 8".
inline std::string pass_name(const Ui& ui, const std::string& name, int number, int count) {
  if (name.empty() || count == 1) return phase_name(ui, name);
  return fill_in(ui.tr(Label::pass_of), phase_name(ui, name), std::to_string(number), std::to_string(count));
}

// "halving 2", for the foot of a column.
inline std::string short_pass_name(const Ui& ui, const JointStep& step) {
  return step.count > 1 && !step.name.empty() ? phase_name(ui, step.name) + " " + std::to_string(step.number)
                                              : phase_name(ui, step.name);
}

// A line of code without the name that its lesson gives it: `sum += in[i];  // @read`.
std::string_view without_mark(std::string_view line);

// Lines of a variant's code with what they cost: that of the step `event`, and `around` on either side.
struct Excerpt {
  const RunResult& result;
  const trace::WarpEvent& event;
  int around = 0;
};
// True if all of them fit `width` pixels in the size of code.
bool fits_as_code(const Ui& ui, const Excerpt& excerpt, float width);
// Paints them as wide as the window, `row` px each; `alpha` fades the numbers.
void draw_excerpt(const Ui& ui, const Excerpt& excerpt, TypeStyle style, float row, float alpha);

}  // namespace lanescope::gui
