#pragma once
// Measured times for interpreted runs: from recordings, or from the learner's own GPU.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "job/lesson/recording.h"
#include "metrics/statistics.h"

namespace lanescope::job {

struct Measured {
  metrics::Interval seconds;  // of the unmodified kernel
  Wording label;              // must be shown with it: device, driver, compiler, date
};

// A variant's time with these controls (those that it has); nullopt if it was not measured.
using MeasuredSource = std::function<std::optional<Measured>(const lesson::Variant&, const lesson::ControlValues&)>;

// From recordings of this lesson, the first that has it. A recording of another text of the kernel does not count, nor
// one whose result did not pass the variant's rules (runs of a sweep are not held against them). A yardstick is asked
// for as a variant of its id (LessonNumbers does). `lesson` must outlive the source.
MeasuredSource measured_in(const lesson::Lesson& lesson, std::vector<LessonRecording> recordings);

}  // namespace lanescope::job
