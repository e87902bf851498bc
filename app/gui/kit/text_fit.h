#pragma once
// For tests: the width that each line of text needs and gets.

#include <functional>
#include <string_view>

#include "imgui.h"

namespace lanescope::gui {

struct TextFit {
  std::string_view text;        // the full text
  float needed = 0, given = 0;  // pixels; given 0: unlimited
  float left = 0, right = 0;    // of the drawn text
  float centre = 0, size = 0;   // its vertical centre, and its font's size
  const ImDrawList* list = nullptr;
  ImVec4 clip;  // text outside it is not visible
};
// Called for every line that draw_text() draws; empty: no listener. Only the window's thread may use it.
std::function<void(const TextFit&)>& text_listener();

}  // namespace lanescope::gui
