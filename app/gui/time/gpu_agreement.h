#pragma once
// Shows what interpreter, recording and counters say about one run.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Draws the three witnesses of the run on screen, number by number, in the current window.
void draw_agreement(const Ui& ui);

}  // namespace lanescope::gui
