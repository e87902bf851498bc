#pragma once
// The page of keys and mouse actions.

#include "gui/parts/ui.h"

namespace lanescope::gui {

void draw_help(const Ui& ui);

}  // namespace lanescope::gui
