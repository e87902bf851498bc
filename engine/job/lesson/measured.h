#pragma once
// Measured times beside interpreted runs: from recordings, or from the learner's own GPU.

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
  Wording label;              // must be shown with the time: device, driver, compiler, date
};

// The time of a variant with these controls (those that it has); nullopt if it was not measured.
using MeasuredSource = std::function<std::optional<Measured>(const lesson::Variant&, const lesson::ControlValues&)>;

// Takes times from the first of the recordings that has one. Ignores runs of another source text of the kernel, and
// runs whose result failed the variant's checks (the runs of a sweep are not checked). A yardstick is requested as a
// variant named by its id, as LessonNumbers does. `lesson` must outlive the source.
MeasuredSource measured_in(const lesson::Lesson& lesson, std::vector<LessonRecording> recordings);

}  // namespace lanescope::job
