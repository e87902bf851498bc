#pragma once
// Above the code: its file was changed by another program after its text was edited here. The learner chooses.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Below `y`, as wide as the panel. Returns its height in pixels; 0: there is nothing to choose.
float draw_file_changed(const Ui& ui, const PanelRect& panel, float y);

}  // namespace lanescope::gui
