#pragma once
// The positions of the window's parts.

#include "gui/kit/widgets.h"
#include "gui/state/panel_shares.h"

namespace lanescope::gui {

// Rectangles in pixels. Every part fits at any size from 1024 × 640 (device-independent) up.
struct Layout {
  PanelRect top, lesson, code, warp, steps, time;
};
// `schedules`: the results of schedules are shown instead of the steps. `chosen` applies as far as every panel keeps
// its minimum size. `strip`: height in device-independent pixels that stays free below the top bar.
Layout layout_of(float width_px, float height_px, const Look& look, bool schedules = false,
                 const PanelShares& chosen = {}, float strip = 0);
// Three texts beside each other take the place of lesson, code and warp; steps and times stay below them.
void give_code_the_room(Layout& l);
bool is_small(float width_px, float height_px, const Look& look);

}  // namespace lanescope::gui
