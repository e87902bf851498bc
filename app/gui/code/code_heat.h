#pragma once
// The number beside a line of code.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

Label heat_label(Heat heat);
std::string heat_text(Heat heat, const HeatValue& value);
bool is_worse(Heat heat, const HeatValue& value);  // than it could be

}  // namespace lanescope::gui
