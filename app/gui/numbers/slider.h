#pragma once
// The slider of a control of a lesson.

#include <cstdint>
#include <string>
#include <string_view>

#include "gui/kit/widgets.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// A control of a lesson: its name, unit and explanation in the language on screen, track, value. Double-click to type a
// number. Returns what happened.
enum class Slide : std::uint8_t { nothing, dragging, released };
// How wide, in pixels, name and value are: alike for the sliders below one another.
struct SliderColumns {
  float label = 0, value = 0;
  // Makes room for a control in a row of `width` pixels, as far as the track leaves it.
  void fit(const Look& look, const lesson::Control& control, std::string_view caption, const std::string& unit,
           float width);
};
Slide control_slider(const Look& look, const lesson::Control& control, std::int64_t& value, std::string_view caption,
                     const std::string& unit, const std::string& explain, const SliderColumns& columns,
                     float row_height = 34);

}  // namespace lanescope::gui
