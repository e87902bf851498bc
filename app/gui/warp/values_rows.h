#pragma once
// Rows that lead to steps: shared by the views of values and of memory.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

std::string step_name(const Ui& ui, const sim::Step& step);  // "step 6"
std::string of_line(const Ui& ui, int line);                 // " · line 4"; empty without a line

// One line, which can be clicked if it leads to a step.
bool origin_row(const Ui& ui, const char* id, const std::string& what, const std::string& why, bool leads);

}  // namespace lanescope::gui
