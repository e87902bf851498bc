#pragma once
// The bar at the top of the window.

#include "gui/parts/ui.h"

namespace lanescope::gui {

void draw_top_bar(const Ui& ui, const PanelRect& rect);

}  // namespace lanescope::gui
