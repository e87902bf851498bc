#pragma once
// The numbers that a lesson's text, questions and tasks refer to.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "job/lesson/measured.h"
#include "job/run/job.h"
#include "lesson/text.h"

namespace lanescope::job {

// Computes the numbers that a lesson's text refers to. Each combination of variant and control values runs at most
// once.
class LessonNumbers {
 public:
  // Without `measured` there are no times.
  explicit LessonNumbers(const lesson::Lesson& lesson, MeasuredSource measured = {});

  // `variant` and `controls` are those on screen. A reference to another variant takes from `controls` those that this
  // variant has; values in the reference itself take precedence. Elements are available for buffers of up to 1 MiB.
  // `edited`: the source of `variant` on screen if the learner changed it; measured numbers are always those of the
  // lesson's own source. Errors: those of the run, of from_lesson() and of number_of(). May be called from several
  // threads.
  Result<std::optional<double>> value(const lesson::NumberReference& reference, const std::string& variant,
                                      const lesson::ControlValues& controls, const std::string* edited = nullptr);

  // The source of a measured number: its interval and its label. nullopt if it was not measured, or is not a measured
  // number.
  std::optional<Measured> measured(const lesson::NumberReference& reference, const std::string& variant,
                                   const lesson::ControlValues& controls) const;

  // The same as a source for the text's renderer; a number that fails counts as unknown.
  lesson::NumberSource source(const std::string& variant, const lesson::ControlValues& controls);

 private:
  struct Run {
    Diagnostics errors;
    Outcome outcome;  // without the contents of large buffers
  };
  std::shared_ptr<const Run> run(const lesson::Variant& variant, const lesson::ControlValues& controls,
                                 const std::string* source);

  const lesson::Variant* variant_of(const lesson::NumberReference& reference, const std::string& on_screen) const;

  const lesson::Lesson& lesson_;
  std::vector<lesson::Variant> yardsticks_;  // as variants without a kernel: they have only a time and a bandwidth
  MeasuredSource measured_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Run>> runs_;
};

}  // namespace lanescope::job
