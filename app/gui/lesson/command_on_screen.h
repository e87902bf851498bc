#pragma once

#include <string>

namespace lanescope::gui {

class Session;

// The command that runs the form on screen in a terminal.
std::string command_on_screen(const Session& session);

}  // namespace lanescope::gui
