#pragma once
// What GPUs measured of the lessons before they were shipped: read in the background when a lesson first comes on
// screen, and held against what is shown.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gui/session/runs.h"
#include "job/lesson/lesson_numbers.h"
#include "job/lesson/recording.h"
#include "job/run/numbers.h"

namespace lanescope::gui {

class Recordings {
 public:
  // An empty folder: there are none. It need not exist.
  Recordings(const Selection& selection, const Runs& runs, Changes& changes, const std::function<void()>& wake,
             std::string folder);

  void read();  // those of the lesson on screen, unless they were
  void lesson_left() { numbers_.reset(); }

  // What a GPU measured of the lesson on screen; null when no recording of it is there.
  const job::LessonRecording* recording() const;
  // The measured run of exactly the text and controls that are shown; null when there is none.
  const job::RecordedRun* run() const { return run(selection_.variant_index()); }
  const job::RecordedRun* run(std::size_t variant) const { return run_of(runs_.shown(variant)); }
  // The same of any run of the lesson on screen.
  const job::RecordedRun* run_of(const RunResult* result) const;
  // What that run's GPU counted, held against what is shown; empty when it counted nothing. Of launch 1.
  const std::vector<job::AgreementRow>& agreement();

  // A number of the lesson's text that was measured; none: not for what is selected.
  std::optional<double> measured(const lesson::NumberReference& reference);
  // The label that must be shown with it; empty if it was not measured.
  Wording label_of(const lesson::NumberReference& reference);
  // Of the lesson on screen: what its questions need of runs other than the one on screen.
  std::shared_ptr<job::LessonNumbers> numbers_of_others();

  void drain() { reader_.drain(); }
  bool idle() const { return reader_.idle(); }

 private:
  job::LessonNumbers& times();  // of the lesson on screen

  const Selection& selection_;
  const Runs& runs_;
  Changes& changes_;
  const std::string folder_;
  std::set<std::string> asked_, reported_;  // lessons, and files that do not open
  std::vector<job::LessonRecording> all_;
  std::map<std::string, std::unique_ptr<job::LessonNumbers>> times_;  // by lesson
  std::shared_ptr<job::LessonNumbers> numbers_;
  struct Counted {
    std::uint64_t result = 0;
    const job::RecordedRun* run = nullptr;
    std::vector<job::AgreementRow> rows;
  } counted_;
  Worker reader_;  // beside everything else: until it has read, the window says that nothing was measured
};

}  // namespace lanescope::gui
