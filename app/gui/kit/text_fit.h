#pragma once
// For tests: what each line of text needs, and what it is given.

#include <functional>
#include <string_view>

#include "imgui.h"

namespace lanescope::gui {

struct TextFit {
  std::string_view text;        // the whole of it
  float needed = 0, given = 0;  // pixels; given 0: as much as it needs
  float left = 0, right = 0;    // of what is drawn
  ImVec4 clip;                  // what is outside is not seen
};
// Called for every line that draw_text() draws; empty: nobody. Not by threads other than the window's.
std::function<void(const TextFit&)>& text_listener();

}  // namespace lanescope::gui
