#pragma once
// The code of the run on screen with the number beside each line, as a drawing.

#include "diagram/scene.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

diagram::Scene code_drawing(const Ui& ui);  // there must be a run

}  // namespace lanescope::gui
