#pragma once
// Where the window's parts lie.

#include "gui/kit/widgets.h"
#include "gui/state/panel_shares.h"

namespace lanescope::gui {

// Rectangles in pixels; every part has its place at any size from 1024 × 640 (device-independent) up.
struct Layout {
  PanelRect top, lesson, code, warp, steps, time;
};
// `schedules`: the results of schedules are shown in place of the steps. `chosen` is followed as far as every panel
// keeps the size that its content needs. `strip`: device-independent pixels left free below the top bar.
Layout layout_of(float width_px, float height_px, const Look& look, bool schedules = false,
                 const PanelShares& chosen = {}, float strip = 0);
bool is_small(float width_px, float height_px, const Look& look);

}  // namespace lanescope::gui
