#pragma once
// What the learner is doing, and what came of it: parts that each know those before them, and the few commands that
// touch several. Knows nothing of painting. Runs happen off the frame; update() brings their results in.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/changes.h"
#include "gui/session/details.h"
#include "gui/session/exercises.h"
#include "gui/session/memory.h"
#include "gui/session/place.h"
#include "gui/session/recordings.h"
#include "gui/session/replays.h"
#include "gui/session/runs.h"
#include "gui/session/schedules.h"
#include "gui/session/selection.h"
#include "gui/session/summaries.h"

namespace lanescope::gui {

class Session {
 private:
  Changes changes_;  // what the parts share comes before them

 public:
  // A lesson's recordings of a GPU are read in the background when it is first chosen; the folder need not exist.
  // Without `gpus` there is the interpreter alone.
  Session(std::vector<lesson::Lesson> lessons, StateStore store, const std::function<void()>& wake,
          const std::string& recordings_folder = {}, const std::shared_ptr<GpuBackend>& gpus = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Selection selection;
  Schedules schedules;
  Runs runs;
  Place place;
  Summaries summaries;
  Replays replays;
  Memory memory;
  Recordings recordings;
  Details details;
  Exercises exercises;

  // Both keep edits and controls, show what the variant showed last, and run it where that is out of date.
  void choose_lesson(std::size_t index);
  void choose_variant(std::size_t index);
  // A saved run takes the lessons' place, until a lesson is chosen. What is wrong with the file is a notice, and all
  // stays as it was; false then.
  bool open(const std::string& path);
  // By name, with these values of the lesson's controls; names and values must exist (variant empty = the first).
  void choose(const std::string& lesson, const std::string& variant, const lesson::ControlValues& controls);
  // A second variant beside the first; it is run whenever the first is. None ends it.
  void compare(std::optional<std::size_t> variant);
  // The same with what it has of its own. `run_now`: false while a slider is dragged.
  void compare_with(Compared compared, bool run_now = true);

  // Goes to the place that a question is about, at the very execution whose number or lanes are asked for. A choice
  // among variants that names no place is shown in the variant that was chosen, so that a misunderstanding is met where
  // it arises.
  void go_to(const lesson::Question& question);
  // The variant and the values of controls that a number of a text is of; it runs where that has not been shown.
  void show_run_of(const lesson::NumberReference& number);
  void open_task(const lesson::Task& task);

  const Diagnostics& notices() const { return changes_.notices; }  // about the window itself
  void dismiss_notices() { changes_.notices.clear(); }
  std::uint64_t revision() const { return changes_.revision(); }  // grows whenever something on screen may have changed

  // Brings in results and saves edits. True when something changed. Call once a frame.
  bool update();
  bool busy() const;

 private:
  void leave_variant();  // before another one, or another lesson, comes on screen; then enter_variant()
  void leave_lesson();   // and what belongs to it
  void enter_variant();

  Worker background_;  // last: its thread ends before what its work and completions touch
};

}  // namespace lanescope::gui
