#pragma once
// What interpreter, recording and counters say of one run.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// The three witnesses of the run on screen, number by number, in the current window.
void draw_agreement(const Ui& ui);

}  // namespace lanescope::gui
