#include "gui/session/recordings.h"

#include <algorithm>

namespace lanescope::gui {

Recordings::Recordings(const Selection& selection, const Runs& runs, Changes& changes,
                       const std::function<void()>& wake, std::string folder)
    : selection_(selection), runs_(runs), changes_(changes), folder_(std::move(folder)), reader_(wake) {}

void Recordings::read() {
  const std::string& lesson = selection_.lesson().id;
  if (folder_.empty() || !asked_.insert(lesson).second) return;
  reader_.post("recordings of " + lesson, [this, id = lesson](sim::Progress&) {
    auto problems = std::make_shared<Diagnostics>();
    auto read = std::make_shared<std::vector<job::LessonRecording>>(job::open_recordings_of(id, folder_, *problems));
    return [this, id, read, problems] {
      for (job::LessonRecording& recording : *read)
        if (recording.lesson == id) all_.push_back(std::move(recording));
      // Earlier answers did not have the times.
      times_.clear();
      numbers_.reset();
      for (const Diagnostic& problem : *problems)  // a damaged file may belong to any lesson; it is reported once
        if (reported_.insert(problem.place.file).second) changes_.notices.push_back(problem);
      changes_.mark();
    };
  });
}

const job::LessonRecording* Recordings::recording() const {
  const auto found = std::ranges::find(all_, selection_.lesson().id, &job::LessonRecording::lesson);
  return found == all_.end() ? nullptr : &*found;
}

const job::RecordedRun* Recordings::run_of(const RunResult* result) const {
  const job::LessonRecording* all = recording();
  if (all == nullptr || result == nullptr) return nullptr;
  const RunKey& key = result->key;
  return all->find(key.variant, key.controls, key.text_to_record());
}

const std::vector<job::AgreementRow>& Recordings::agreement() {
  const RunResult* result = runs_.shown();
  const job::RecordedRun* recorded = run();
  const std::uint64_t serial = result == nullptr ? 0 : result->serial;
  if (counted_.result == serial && counted_.run == recorded) return counted_.rows;
  counted_ = {serial, recorded, {}};
  if (result != nullptr && recorded != nullptr && !recorded->counters.empty())
    counted_.rows = job::agree_with_counters(result->outcome.first().trace, recorded->counters,
                                             recording()->machine_code(recorded->variant));
  return counted_.rows;
}

job::LessonNumbers& Recordings::times() {
  const lesson::Lesson& lesson = selection_.lesson();
  std::unique_ptr<job::LessonNumbers>& numbers = times_[lesson.id];
  if (!numbers) numbers = std::make_unique<job::LessonNumbers>(lesson, job::measured_in(lesson, all_));
  return *numbers;
}

std::optional<double> Recordings::measured(const lesson::NumberReference& reference) {
  const auto value = times().value(reference, selection_.variant().id, selection_.controls_set());
  return value ? *value : std::nullopt;
}

Wording Recordings::label_of(const lesson::NumberReference& reference) {
  const auto found = times().measured(reference, selection_.variant().id, selection_.controls_set());
  return found ? found->label : "";
}

std::shared_ptr<job::LessonNumbers> Recordings::numbers_of_others() {
  const lesson::Lesson& lesson = selection_.lesson();
  if (!numbers_) numbers_ = std::make_shared<job::LessonNumbers>(lesson, job::measured_in(lesson, all_));
  return numbers_;
}

}  // namespace lanescope::gui
