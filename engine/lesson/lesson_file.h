#pragma once
// lesson.toml → Lesson, without the other files.

#include "lesson/lesson.h"

namespace lanescope::lesson {

// Reports everything that is wrong with it at once; see load() for the codes.
Result<Lesson> parse_lesson_file(const std::string& text, const std::string& file);

}  // namespace lanescope::lesson
