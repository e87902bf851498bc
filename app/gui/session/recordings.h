#pragma once
// The shipped GPU measurements of lessons: read in the background when a lesson first comes on screen, and compared
// with what is shown.

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
  // An empty folder: no recordings. It need not exist.
  Recordings(const Selection& selection, const Runs& runs, Changes& changes, const std::function<void()>& wake,
             std::string folder);

  void read();  // those of the lesson on screen, unless already read
  void lesson_left() { numbers_.reset(); }

  // The GPU measurements of the lesson on screen; null if it has no recording.
  const job::LessonRecording* recording() const;
  // The measured run with exactly the text and controls that are shown; null if there is none.
  const job::RecordedRun* run() const { return run(selection_.variant_index()); }
  const job::RecordedRun* run(std::size_t variant) const { return run_of(runs_.shown(variant)); }
  // The same for any run of the lesson on screen.
  const job::RecordedRun* run_of(const RunResult* result) const;
  // The GPU's counts for that run, compared with what is shown; empty if it has none. For launch 1.
  const std::vector<job::AgreementRow>& agreement();

  // A measured number of the lesson's text; nullopt if it was not measured for the selection.
  std::optional<double> measured(const lesson::NumberReference& reference);
  // The label to show with it; empty if it was not measured.
  Wording label_of(const lesson::NumberReference& reference);
  // For the lesson on screen: the numbers of other runs that its questions need.
  std::shared_ptr<job::LessonNumbers> numbers_of_others();

  void drain() { reader_.drain(); }
  bool idle() const { return reader_.idle(); }

 private:
  job::LessonNumbers& times();  // for the lesson on screen

  const Selection& selection_;
  const Runs& runs_;
  Changes& changes_;
  const std::string folder_;
  std::set<std::string> asked_, reported_;  // lessons, and files that cannot be opened
  std::vector<job::LessonRecording> all_;
  std::map<std::string, std::unique_ptr<job::LessonNumbers>> times_;  // by lesson
  std::shared_ptr<job::LessonNumbers> numbers_;
  struct Counted {
    std::uint64_t result = 0;
    const job::RecordedRun* run = nullptr;
    std::vector<job::AgreementRow> rows;
  } counted_;
  Worker reader_;  // a worker of its own: until it has read, the window shows "not measured"
};

}  // namespace lanescope::gui
