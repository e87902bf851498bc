#pragma once
// Where to find a recording if none differs in a single control.

#include "gui/time/time_sizes.h"

namespace lanescope::gui {

// What to change for the recording of the variant's text that differs in the fewest controls. Empty if the text has no
// recording with other values.
lesson::ControlValues nearest_recording(const Session& session, TimeSize size);

}  // namespace lanescope::gui
