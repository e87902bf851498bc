#pragma once
// What is on screen, told by its numbers.

#include <string>

#include "gui/session/session.h"

namespace lanescope::test {

// Expects the number panel to show what the command line would report for the same request, run directly.
void expect_numbers_equal(const gui::Session& s);

// Whether a part of the window with this name was painted in the last frame.
bool part_is_shown(const std::string& name);

double sectors_per_request(const gui::Session& s);

}  // namespace lanescope::test
