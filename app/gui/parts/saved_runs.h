#pragma once
// Opens saved runs for menus, dropped files and the command line, and takes in dropped code.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Opens the file and puts it first in the list of recent ones. Errors become notices.
void open_saved_run(Session& session, WindowState& window, const std::string& path);

// A file that was dropped onto the window. CUDA code (.cu, .cuh) replaces the code on screen if it was dropped there,
// as an edit does, which can be undone, and runs; elsewhere its kernels open with a launch form. Any other file is
// opened as a saved run. Returns what is wrong with the code's file.
Diagnostics take_dropped_file(Session& session, WindowState& window, const std::string& path, bool on_code);

}  // namespace lanescope::gui
