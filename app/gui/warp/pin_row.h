#pragma once
// What is pinned in a picture, told on a row: its element as the source names it, value, address, lane and step.

#include "gui/parts/ui.h"

namespace lanescope::gui {

float pin_height(const Ui& ui, const Replays::Pin& pin, float width);  // pixels
// At the cursor.
void pin_row(const Ui& ui, const Replays::Pin& pin, float width);

}  // namespace lanescope::gui
