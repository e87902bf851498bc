#include "gui/parts/presenting.h"

#include <algorithm>

#include "core/worded.h"
#include "gui/parts/exports.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

void zoom_by(WindowState& state, float factor) {
  constexpr float smallest = 0.6f, largest = 3;
  const float most = state.presenting->most_zoom;
  const float now = std::min(state.settings.zoom, most);
  if (factor > 1 && most < largest && now * 1.01f > most) {
    const bool one_panel = state.present || state.presenting->grown;
    state.exports->tell(one_panel
                            ? worded("There is no room for larger text.")
                            : worded("There is no room for larger panels. G shows one alone, which may be larger."),
                        ImGui::GetTime());
  }
  state.settings.zoom = std::clamp(now * factor, smallest, std::max(1.0f, std::min(largest, most)));
}

}  // namespace lanescope::gui
