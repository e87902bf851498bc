#pragma once
// One lesson of a folder of lessons.

#include <optional>
#include <string>

#include "lesson/lesson.h"

namespace lanescope::lesson {

// What find(id) finds in the library, without loading the others where their files begin with other ids; none where it is not
// plain which lesson that is, or where it does not load.
std::optional<Lesson> load_one(const std::string& lessons_folder, const std::string& id);

}  // namespace lanescope::lesson
