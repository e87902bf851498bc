#pragma once
// For a variant with several launches: selects the launch that pictures and numbers show.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// The launch on screen, of `count`.
struct LaunchShown {
  const RunResult* result = nullptr;
  int launch = 1, count = 1;
};

// "launch 2 of 3"; empty if there is only one.
std::string launch_text(const Ui& ui);
std::string launch_text(const Ui& ui, const LaunchShown& shown);
// The same with buttons for the previous and next launch, its left edge at `x` (pixels). Returns its width; 0 if there
// is only one.
float launch_choice(const Ui& ui, float x, float centre_y);
// `chosen` receives the launch that the user selects.
float launch_choice(const Ui& ui, const LaunchShown& shown, float x, float centre_y, int& chosen);

}  // namespace lanescope::gui
