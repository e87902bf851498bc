#pragma once
// The number beside a line of code.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

Label heat_label(Heat heat);
std::string heat_text(Heat heat, const HeatValue& value);
bool is_worse(Heat heat, const HeatValue& value);  // than it could be
// What each instruction of the line did, beside the pointer.
void heat_hint(const Ui& ui, const LineCost& line);

}  // namespace lanescope::gui
