#pragma once
// The numbers that a lesson's text, questions and tasks speak of.

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

// The numbers that a lesson's text asks for: runs what is needed, once for each variant and control values.
class LessonNumbers {
 public:
  // Without `measured` no time is known.
  explicit LessonNumbers(const lesson::Lesson& lesson, MeasuredSource measured = {});

  // `variant` and `controls` are what is on screen: a reference's variant runs with those of them that it has, and the
  // reference's own values before them. Elements are known of buffers of up to 1 MiB. `edited`: the text on screen of
  // `variant`, where it is not the lesson's own; measured numbers are always of the lesson's. Errors: those of the run,
  // of from_lesson() and of number_of(). May be called from several threads.
  Result<std::optional<double>> value(const lesson::NumberReference& reference, const std::string& variant,
                                      const lesson::ControlValues& controls, const std::string* edited = nullptr);

  // Where a measured number comes from: its interval and its label. nullopt: nobody measured it, or it is no such
  // number.
  std::optional<Measured> measured(const lesson::NumberReference& reference, const std::string& variant,
                                   const lesson::ControlValues& controls) const;

  // The same as the text's renderer wants it; anything that fails is unknown.
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
  std::vector<lesson::Variant> yardsticks_;  // as variants without a kernel: they have a time and a bandwidth
  MeasuredSource measured_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Run>> runs_;
};

}  // namespace lanescope::job
