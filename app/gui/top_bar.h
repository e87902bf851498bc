#pragma once
// The bar along the window's top edge.

#include "gui/parts/ui.h"

namespace lanescope::gui {

void draw_top_bar(const Ui& ui, const PanelRect& rect);

}  // namespace lanescope::gui
