#pragma once
// Below the top bar while a program runs: which one, for how long, how many launches it made, and what it printed last.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Its height; 0 while none runs. Device-independent pixels.
float program_strip_height(const Session& session);
void draw_program_strip(const Ui& ui, const PanelRect& rect);

}  // namespace lanescope::gui
