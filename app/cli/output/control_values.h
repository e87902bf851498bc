#pragma once
// The values of a lesson's controls, as text.

#include <string>

#include "lesson/lesson.h"

namespace lanescope::cli {

// "stride 8 · n 16,384": the controls of the variant that have a value, in its order.
std::string controls_text(const lesson::Lesson& lesson, const lesson::Variant& variant,
                          const lesson::ControlValues& values);
// " at n = 16,384": the sizes among the values; empty if there is none.
std::string sizes_text(const lesson::Lesson& lesson, const lesson::ControlValues& values);

}  // namespace lanescope::cli
