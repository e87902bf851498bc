#include "gui/parts/presenting.h"

#include <algorithm>

#include "gui/parts/ui.h"

namespace lanescope::gui {

void zoom_by(WindowState& state, float factor) {
  constexpr float smallest = 0.6f, largest = 3;
  const auto by_factor = [&](float zoom) { return std::clamp(zoom * factor, smallest, largest); };
  if (Presenting& shown = *state.presenting; state.present)
    shown.zoom = by_factor(shown.applied_zoom);
  else
    state.settings.zoom = by_factor(state.settings.zoom);
}

void usual_size(WindowState& state) {
  if (state.present)
    state.presenting->zoom = 0;
  else
    state.settings.zoom = 1;
}

}  // namespace lanescope::gui
