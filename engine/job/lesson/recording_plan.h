#pragma once
// Which measurements a lesson's recording consists of.

#include <string>
#include <vector>

#include "job/lesson/recording.h"
#include "lesson/lesson.h"

namespace lanescope::job {

// One of them. It points into the lesson.
struct Measurement {
  const lesson::Variant* variant = nullptr;      // a run of a variant …
  const lesson::Yardstick* yardstick = nullptr;  // … or a yardstick, at both sizes; neither: the empty launch
  lesson::ControlValues controls;                // of a run
  std::string size;                              // of a run: "looking", "full", or the name of the swept control

  bool is_sweep() const { return variant != nullptr && size != "looking" && size != "full"; }
  // "stride (full)", "cub", "empty launch"
  std::string name() const;
};

// In the order in which they are measured: the empty launch, what the lesson shows first, then the sweeps
// (record_lesson()), and last the yardsticks. No two are equal.
std::vector<Measurement> measurements_of(const lesson::Lesson& lesson, const RecordOptions& options);

// A text that is the same only for the same measurement of the same kernel: variant, size, values, hash of the source.
std::string identity_of(const lesson::Lesson& lesson, const Measurement& measurement);

// Makes one of them. The result holds nothing else: its run with its machine code, its yardstick or its empty launch.
// `options.missing` receives why it holds less, with the measurement's name. Errors: the context is lost, so the
// session can measure nothing more.
Result<LessonRecording> measure(const lesson::Lesson& lesson, gpu::Session& session, const RecordOptions& options,
                                const Measurement& measurement);

}  // namespace lanescope::job
