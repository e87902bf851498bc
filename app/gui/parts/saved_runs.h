#pragma once
// Opening saved runs from the window: what menus, dropped files and the command line do.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Opens the file and puts it first among the recent ones; what is wrong with it is a notice.
void open_saved_run(Session& session, WindowState& window, const std::string& path);

}  // namespace lanescope::gui
