#pragma once
// The recordings of one lesson.

#include <string>
#include <vector>

#include "job/recording.h"

namespace lanescope::job {

// open_recordings() without those that say at their beginning that they are of another lesson: these are not read.
std::vector<LessonRecording> open_recordings_of(const std::string& lesson, const std::string& folder, Diagnostics& problems);

}  // namespace lanescope::job
