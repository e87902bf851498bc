#pragma once
// For a variant with several launches: the launch that pictures and numbers belong to.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// A launch that is on screen, of `count`.
struct LaunchShown {
  const RunResult* result = nullptr;
  int launch = 1, count = 1;
};

// "launch 2 of 3"; empty where there is only one.
std::string launch_text(const Ui& ui);
std::string launch_text(const Ui& ui, const LaunchShown& shown);
// The same with a way back and on, its left edge at `x` (pixels); returns its width, 0 where there is only one.
float launch_choice(const Ui& ui, float x, float centre_y);
// `chosen` becomes the launch that is wanted instead.
float launch_choice(const Ui& ui, const LaunchShown& shown, float x, float centre_y, int& chosen);

}  // namespace lanescope::gui
