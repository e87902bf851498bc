#pragma once
// A row about the pinned shape of a picture: its element by the source's name, value, address, lane and step.

#include "gui/parts/ui.h"

namespace lanescope::gui {

float pin_height(const Ui& ui, const Replays::Pin& pin, float width);  // pixels
// Drawn at the cursor.
void pin_row(const Ui& ui, const Replays::Pin& pin, float width);

}  // namespace lanescope::gui
