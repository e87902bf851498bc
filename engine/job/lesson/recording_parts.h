#pragma once
// A recording that several processes make together, in a folder that all of them reach. Each measurement is a file,
// which is complete as soon as it is there. So nothing that was measured is lost, and nothing is measured twice:
//
//   plan.json          which measurements, by which version and with which options
//   part-0007.json     a measurement that was made: a recording (recording.h) that holds nothing else
//   missed-0007.json   why one could not be made, or not all of it
//   array-0002.json    the second time that jobs were sent off: their name, and which measurements they were to make
//   task-0002-3.log    what a task of that array printed

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "job/lesson/recording.h"
#include "job/lesson/recording_plan.h"

namespace lanescope::job {

// Jobs that were sent off together. Task `i` of them makes measurements[i], measurements[i + tasks], ….
struct SentOff {
  std::string name;
  int tasks = 1;
  std::vector<std::size_t> measurements;
};

class RecordingParts {
 public:
  // Creates the folder and its plan, or opens those that an earlier process left. Part files that are damaged are
  // deleted. Diagnostics: recording.io, also for a folder with other files in it; recording.other_plan: the plan is of
  // other texts, options or of another version.
  static Result<RecordingParts> open(std::string folder, const lesson::Lesson& lesson, const RecordOptions& options);

  const std::string& folder() const { return folder_; }
  const std::string& lesson() const { return lesson_; }  // its id
  const std::vector<Measurement>& measurements() const { return measurements_; }

  // Whether a measurement was made, or was tried and missed.
  bool is_made(std::size_t index) const;
  bool is_missed(std::size_t index) const;
  std::vector<std::size_t> not_made() const;
  // What a measurement gave. The same diagnostics as open().
  Result<std::monostate> put(std::size_t index, const LessonRecording& made, const Diagnostics& missed) const;
  // Tries again what was missed.
  void forget_missed() const;
  // Why measurements are missing, in their order.
  Diagnostics missed() const;

  // All that was made, in the plan's order. If they were made on several days, the date is the range (ISO 8601:
  // 2026-11-26/2026-11-27). recording.mixed: they come from different GPUs, drivers or compilers, which no
  // recording may mix. recording.syntax: a part is damaged.
  Result<LessonRecording> joined() const;

  // The jobs that were sent off last; nullopt if there are none.
  std::optional<SentOff> last_sent_off() const;
  int times_sent_off() const;
  Result<std::monostate> add_sent_off(const SentOff& jobs) const;
  Result<SentOff> sent_off(int time) const;  // from 1
  // With %a for the task.
  std::string log_of(int time) const;
  // The last error that a task of it printed, or else the last line; empty if none printed anything.
  std::string last_words(int time) const;

  // Deletes these files, and the folder if nothing else is in it.
  void remove() const;

 private:
  RecordingParts(std::string folder, std::string lesson, std::vector<Measurement> measurements)
      : folder_(std::move(folder)), lesson_(std::move(lesson)), measurements_(std::move(measurements)) {}
  std::string path(const char* kind, std::size_t number) const;

  std::string folder_, lesson_;
  std::vector<Measurement> measurements_;
};

// What is compared before recordings are joined: GPU, driver, compiler. Empty if both agree, else what differs.
Wording difference_of_machines(const LessonRecording& one, const LessonRecording& other);

}  // namespace lanescope::job
