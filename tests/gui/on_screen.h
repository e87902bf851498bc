#pragma once
// Checks what is on screen by its numbers.

#include <string>

#include "gui/session/session.h"

struct ImGuiWindow;

namespace lanescope::test {

// Expects the number panel to show what the command line reports for the same request.
void expect_numbers_equal(const gui::Session& s);

// The part of the window with this name if it was painted in the last frame; else null.
const ImGuiWindow* window_of_part(const std::string& name);
bool part_is_shown(const std::string& name);

double sectors_per_request(const gui::Session& s);

}  // namespace lanescope::test
