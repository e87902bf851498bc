#pragma once
// The slider for a lesson's control.

#include <cstdint>
#include <string>
#include <string_view>

#include "gui/kit/widgets.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// A lesson's control: its name, unit and explanation in the current language, track, value. Double-click to type a
// number. Returns what happened.
enum class Slide : std::uint8_t { nothing, dragging, released };
// The widths of name and value in pixels, shared by sliders that are stacked.
struct SliderColumns {
  float label = 0, value = 0;
  // Enlarges the columns for a control in a row of `width` pixels, as far as the track allows.
  void fit(const Look& look, const lesson::Control& control, std::string_view caption, const std::string& unit,
           float width);
};
Slide control_slider(const Look& look, const lesson::Control& control, std::int64_t& value, std::string_view caption,
                     const std::string& unit, const std::string& explain, const SliderColumns& columns,
                     float row_height = 34);

}  // namespace lanescope::gui
