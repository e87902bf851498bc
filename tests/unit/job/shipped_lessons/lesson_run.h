#pragma once
// Runs a lesson's variant or a single kernel within the test process, so that a kernel is compiled only once.

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "golden.h"
#include "job/lesson/lesson_request.h"
#include "job/run/job.h"
#include "lesson/lesson.h"
#include "test_paths.h"

namespace lanescope::test {

struct LessonRun {
  job::Outcome outcome;
  nlohmann::json totals;             // as in the JSON of `lanescope run`
  std::vector<std::string> written;  // each buffer after the run, by argument index; scalars are empty
};

inline std::string first_of(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "" : format(diagnostics.front());
}

inline LessonRun finished(const job::Request& request, const lesson::Variant* variant = nullptr) {
  LessonRun run;
  run.outcome = job::run(request, variant);
  EXPECT_TRUE(run.outcome.completed) << first_of(run.outcome.diagnostics);
  for (const job::CheckResult& check : run.outcome.checks)
    EXPECT_TRUE(check.holds) << check.description << ": " << check.detail;
  run.totals = nlohmann::json::parse(job::to_json(run.outcome))["totals"];
  for (const sim::Argument& argument : run.outcome.arguments)
    run.written.emplace_back(reinterpret_cast<const char*>(argument.contents.data()), argument.contents.size());
  return run;
}

// `controls`: only those that differ from their defaults.
inline LessonRun run_variant(const lesson::Lesson& lesson, const std::string& id,
                             const lesson::ControlValues& controls = {}) {
  const lesson::Variant* variant = lesson.find_variant(id);
  if (variant == nullptr) {
    ADD_FAILURE() << "no variant " << id;
    return {};
  }
  const Result<job::Request> request = job::from_lesson(lesson, *variant, controls);
  if (!request) {
    ADD_FAILURE() << id << ": " << first_of(request.errors());
    return {};
  }
  return finished(*request, variant);
}

inline const lesson::Lesson& lesson_in(std::string_view folder) {
  static std::map<std::string, lesson::Lesson, std::less<>> known;
  const auto found = known.find(folder);
  if (found != known.end()) return found->second;
  Result<lesson::Lesson> lesson = lesson::load(LANESCOPE_SOURCE_DIR "/lessons/" + std::string(folder));
  EXPECT_TRUE(lesson.ok()) << folder;
  return known.emplace(std::string(folder), lesson ? std::move(*lesson) : lesson::Lesson{}).first->second;
}

}  // namespace lanescope::test
