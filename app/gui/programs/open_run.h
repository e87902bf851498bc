#pragma once
// An open saved run, which replaces the lessons. It is represented as a lesson without text, questions, controls and
// times, whose variants are its launches: so everything that runs, shows, steps and compares variants works with
// launches.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "device/saved_run_reader.h"
#include "gui/programs/program_run.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

struct OpenRun {
  std::shared_ptr<const device::SavedRun> file;
  // Its id differs from all lessons'; a variant's id is its launch's number. Its sources are what ran, except that of
  // `program`, which is the file's if another text was built instead.
  lesson::Lesson lesson;
  std::shared_ptr<const EndedProgram> program;  // that the window ran; null: the run was opened from a file
  std::string built_text;                       // of program->program.file, if it is CUDA code
  std::map<std::string, std::vector<std::size_t>> launches_of;  // the variants of each kernel, in order

  // The text of a launch's file as it ran.
  const std::string& text_that_ran(const std::string& name) const;
  // Whether the text of this file can be edited and built again.
  bool can_build(const std::string& name) const;

  const device::LaunchEntry& entry(std::size_t variant) const { return file->launches()[variant]; }
  // False of the launch during which the program was stopped.
  bool had_ended(std::size_t variant) const {
    return program == nullptr || !program->stopped || entry(variant).number <= program->launches;
  }
};

// Codes: those of device::SavedRun::open(), and saved_run.empty. Remarks are the file's.
Result<std::shared_ptr<const OpenRun>> open_run(const std::string& path);
// The launches of a program that the window ran. It must have saved some.
Result<std::shared_ptr<const OpenRun>> open_run(std::shared_ptr<const EndedProgram> program);

// The launch of `now` that corresponds to this one of `before`: the same number and kernel, else the launch of this
// kernel with the same position among its launches, else the one at the same place in the list, or the last.
std::size_t same_launch(const OpenRun& before, std::size_t launch, const OpenRun& now);

// The position of a launch among those of its kernel, from 0, and the launch of `in` with that kernel and position.
std::size_t nth_of_kernel(const OpenRun& run, std::size_t launch);
std::optional<std::size_t> launch_alike(const OpenRun& of, std::size_t launch, const OpenRun& in);

// The grid and block of a launch as in a source: "<<<(8, 8), 256>>>"; and short: "8×8, 256".
std::string shape_text(const trace::Launch& launch);
std::string short_shape(const trace::Launch& launch);

}  // namespace lanescope::gui
