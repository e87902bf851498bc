#pragma once
// Finds the lessons and the one that the user named.

#include <string>
#include <vector>

#include "core/result.h"
#include "core/wording.h"
#include "job/lesson/recording.h"
#include "lesson/lesson.h"

namespace lanescope::cli {

// A data folder of the source tree: LANESCOPE_ROOT/NAME, else ../share/lanescope/NAME beside the executable. If this is
// not an installation: ../../NAME (from a build folder) or NAME (in the current folder). Empty if none exists.
std::string data_folder(const std::string& name);
inline std::string lessons_folder() {
  return data_folder("lessons");
}

// lesson.no_such, and how to get the lessons, if there is no such folder; else nothing.
Diagnostics missing_lessons();

// A lesson by its id, or any lesson's folder by its path. (A folder in the current one needs no `./` if no lesson has
// its name as id.) Errors: lesson.no_such (the cure lists the known ids); the lesson's own if it did not load.
Result<lesson::Lesson> find_lesson(const std::string& id);
// Where a lesson or a command is expected and the user gave `name`: the closest known ones, or the commands for a CUDA
// file.
Wording cure_of_unknown(const std::string& name, const std::vector<std::string>& known);
// The same for a command; also for a lesson's name in its place.
Wording cure_of_unknown_command(const std::string& name, const std::vector<std::string>& known);
// The recordings that are shipped with the lessons; may be empty. Errors in one (recording.*) are added to `problems`
// or, without it, printed once to standard error as a warning.
std::vector<job::LessonRecording> shipped_recordings(Diagnostics& problems);
std::vector<job::LessonRecording> shipped_recordings(const std::string& lesson);  // of one lesson

// The variant `id`, or the first one if `id` is empty. Errors: lesson.no_such_variant, lesson.yardstick.
Result<const lesson::Variant*> find_variant(const lesson::Lesson& lesson, const std::string& id);

// "stride=8" … → values. Error: command.bad_setting.
Result<lesson::ControlValues> parse_settings(const std::vector<std::string>& settings);

}  // namespace lanescope::cli
