#pragma once
// Of a variant of several launches: which of them pictures and numbers are of.

#include <string>

#include "gui/ui.h"

namespace lanescope::gui {

// "launch 2 of 3"; empty where there is only one.
std::string launch_text(const Ui& ui);
// The same with a way back and on, its left edge at `x` (pixels); returns its width, 0 where there is only one.
float launch_choice(const Ui& ui, float x, float centre_y);

}  // namespace lanescope::gui
