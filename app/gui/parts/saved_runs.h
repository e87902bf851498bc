#pragma once
// Opens saved runs for menus, dropped files and the command line.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Opens the file and puts it first in the list of recent ones. Errors become notices.
void open_saved_run(Session& session, WindowState& window, const std::string& path);

}  // namespace lanescope::gui
