#include "gui/parts/presenting.h"

#include <algorithm>

#include "gui/parts/ui.h"

namespace lanescope::gui {

void zoom_by(WindowState& state, float factor) {
  constexpr float smallest = 0.6f, largest = 3;
  state.settings.zoom = std::clamp(state.settings.zoom * factor, smallest, largest);
}

}  // namespace lanescope::gui
