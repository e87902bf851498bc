#pragma once
// Finds the lessons, and the one that the user named.

#include <string>

#include "core/result.h"
#include "job/lesson/recording.h"
#include "lesson/lesson.h"

namespace lanescope::cli {

// A folder of the source tree that is read as data: LANESCOPE_ROOT/NAME, else ../share/lanescope/NAME beside the
// executable; where that is no installation, ../../NAME (a build folder) or NAME (in the current folder). Empty when
// none exists.
std::string data_folder(const std::string& name);
inline std::string lessons_folder() {
  return data_folder("lessons");
}

// Errors: lesson.no_such (known ids in the cure); the lesson's own when it did not load.
Result<lesson::Lesson> find_lesson(const std::string& id);
// The recordings that are shipped with the lessons; none when there are none. What is wrong with one is told in
// `problems` (recording.*), or else once on standard error, as a warning.
std::vector<job::LessonRecording> shipped_recordings(Diagnostics& problems);
std::vector<job::LessonRecording> shipped_recordings(const std::string& lesson);  // those of one lesson

// The first variant when `id` is empty. Errors: lesson.no_such_variant, lesson.yardstick.
Result<const lesson::Variant*> find_variant(const lesson::Lesson& lesson, const std::string& id);

// "stride=8" … → values. Error: command.bad_setting.
Result<lesson::ControlValues> parse_settings(const std::vector<std::string>& settings);

}  // namespace lanescope::cli
