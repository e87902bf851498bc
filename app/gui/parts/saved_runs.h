#pragma once
// Opens files for menus, drops, the overlay of Ctrl + O and the command line: saved runs, programs, and CUDA code.

#include "gui/parts/ui.h"

namespace lanescope::gui {

// Opens a saved run and puts it first in the list of recent files. Errors become notices.
void open_saved_run(Session& session, WindowState& window, const std::string& path);

// A file that was chosen or dropped, by its kind (kind_of_file()): a program (.cu with main(), .py, executable) runs
// with these arguments in this folder (empty: its own), and its launches are shown when it has ended; the kernels of
// CUDA code without main() open with launch forms; any other file is opened as a saved run. What is opened or run is
// put first in the list of recent files. Returns what is wrong with the file if no notice says it.
Diagnostics open_file(Session& session, WindowState& window, const std::string& path, const std::string& arguments = {},
                      const std::string& folder = {}, const compile::Preprocessor& preprocessor = {});
// The same as the program was started the last time.
Diagnostics open_file_again(Session& session, WindowState& window, const std::string& path);
// The same for a file that was dropped on the code: CUDA code without main() replaces it as an edit does, which can be
// undone, and runs.
Diagnostics replace_code(Session& session, WindowState& window, const std::string& path);

}  // namespace lanescope::gui
