#pragma once
// What stands in the way of a run, as the window says it.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// "Line 3: …", in the language chosen; "header.h:3: …" where the place is not in the code of a variant of the lesson.
std::string problem_text(const Ui& ui, const Diagnostic& problem);
// The line of the code that it is about; 0: none, or of another file.
int line_in_code(const Ui& ui, const Diagnostic& problem);
// The two texts where no code is set apart: in hints, for a class. Without backticks.
struct ProblemTexts {
  std::string what, cure;
};
ProblemTexts plain_texts(const Ui& ui, const Diagnostic& problem);
// Where and what happened, and below it, smaller, what to do about it. A click on it shows the line.
void draw_problem(const Ui& ui, const Diagnostic& problem, ImU32 colour, TypeStyle style = type::small);

}  // namespace lanescope::gui
