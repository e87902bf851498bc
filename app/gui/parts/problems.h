#pragma once
// Problems of a run as the window shows them.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// "Line 3: …" in the current language; "header.h:3: …" if the place is not in a variant's code.
std::string problem_text(const Ui& ui, const Diagnostic& problem);
// The line of code that it concerns; 0: none, or in another file.
int line_in_code(const Ui& ui, const Diagnostic& problem);
// Message and cure without backticks, for hints and presentations, which have no code font.
struct ProblemTexts {
  std::string what, cure;
};
ProblemTexts plain_texts(const Ui& ui, const Diagnostic& problem);
// Draws place and message and, below them in a smaller font, the cure. A click shows the line.
void draw_problem(const Ui& ui, const Diagnostic& problem, ImU32 colour, TypeStyle style = type::small);

}  // namespace lanescope::gui
