#pragma once
// Parses lesson.toml into a Lesson, without the other files.

#include "lesson/lesson.h"

namespace lanescope::lesson {

// Reports all errors at once; load() lists the codes.
Result<Lesson> parse_lesson_file(const std::string& text, const std::string& file);

}  // namespace lanescope::lesson
