#pragma once
// A saved run that is open in the lessons' place. It stands as a lesson without text, questions, controls and times,
// whose variants are its launches: what runs, shows, steps and compares variants does so with launches.

#include <memory>
#include <string>

#include "core/result.h"
#include "device/saved_run_reader.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

struct OpenRun {
  std::shared_ptr<const device::SavedRun> file;
  lesson::Lesson lesson;  // its id is no lesson's; a variant's is its launch's number

  const device::LaunchEntry& entry(std::size_t variant) const { return file->launches()[variant]; }
};

// Codes: those of device::SavedRun::open(), and saved_run.empty. Remarks are the file's.
Result<std::shared_ptr<const OpenRun>> open_run(const std::string& path);

// "<<<(8, 8), 256>>>": the grid and block of a launch, as a source has them; "8×8, 256".
std::string shape_text(const trace::Launch& launch);
std::string short_shape(const trace::Launch& launch);

}  // namespace lanescope::gui
