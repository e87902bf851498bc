#pragma once
// An open saved run, which replaces the lessons. It is represented as a lesson without text, questions, controls and
// times, whose variants are its launches: so everything that runs, shows, steps and compares variants works with
// launches.

#include <memory>
#include <string>

#include "core/result.h"
#include "device/saved_run_reader.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

struct OpenRun {
  std::shared_ptr<const device::SavedRun> file;
  lesson::Lesson lesson;  // its id differs from all lessons'; a variant's id is its launch's number

  const device::LaunchEntry& entry(std::size_t variant) const { return file->launches()[variant]; }
};

// Codes: those of device::SavedRun::open(), and saved_run.empty. Remarks are the file's.
Result<std::shared_ptr<const OpenRun>> open_run(const std::string& path);

// The grid and block of a launch as in a source: "<<<(8, 8), 256>>>"; and short: "8×8, 256".
std::string shape_text(const trace::Launch& launch);
std::string short_shape(const trace::Launch& launch);

}  // namespace lanescope::gui
