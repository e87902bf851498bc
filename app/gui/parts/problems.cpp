#include "gui/parts/problems.h"

#include <fmt/format.h>

#include "gui/parts/markdown.h"

namespace lanescope::gui {

int line_in_code(const Ui& ui, const Diagnostic& problem) {
  return ui.session.selection.lesson().sources.contains(problem.place.file) ? problem.place.line : 0;
}

std::string problem_text(const Ui& ui, const Diagnostic& problem) {
  const std::string said = ui.told(problem.message);
  if (problem.place.line <= 0) return said;
  if (line_in_code(ui, problem) == 0) return fmt::format("{}:{}: {}", problem.place.file, problem.place.line, said);
  return fill_in(ui.tr(Label::line_says), std::to_string(problem.place.line), said);
}

ProblemTexts plain_texts(const Ui& ui, const Diagnostic& problem) {
  ProblemTexts said{problem_text(ui, problem), ui.told(problem.cure)};
  for (std::string* one : {&said.what, &said.cure}) std::erase(*one, '`');
  return said;
}

void draw_problem(const Ui& ui, const Diagnostic& problem, ImU32 colour, TypeStyle style) {
  const int line = line_in_code(ui, problem);
  const auto goes_there = [&] {
    if (line > 0 && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (line > 0 && ImGui::IsItemClicked()) ui.window.show_line = line;
  };
  paragraph_with_code(ui, style, colour, problem_text(ui, problem));
  goes_there();
  if (problem.cure.empty()) return;
  paragraph_with_code(ui, type::caption, ui.colours().dim, ui.told(problem.cure));
  goes_there();
}

}  // namespace lanescope::gui
