// lanescope run LESSON

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/lessons.h"
#include "cli/runner.h"
#include "cli/table.h"

namespace lanescope::cli {

namespace {

std::string title_of(const lesson::Lesson& lesson, const lesson::Variant& variant, const job::Request& request) {
  std::string out = fmt::format("{}: {}\n{}\n", lesson.title.en, variant.title.en, variant.summary.en);
  std::string values;
  for (const std::string& name : variant.controls) {
    const lesson::Control* control = lesson.find_control(name);
    const auto value = request.controls.find(name);
    if (!control || value == request.controls.end()) continue;
    values += fmt::format("{}{} {}", values.empty() ? "" : " · ", control->label.en, number(static_cast<double>(value->second)));
  }
  return out + (values.empty() ? "" : values + "\n") + "\n";
}

}  // namespace

int run(const RunOptions& options) {
  const bool json = options.runner.json;
  Result<lesson::ControlValues> settings = parse_settings(options.settings);
  if (!settings) return refuse(settings.errors(), json);
  Result<lesson::Lesson> lesson = find_lesson(options.lesson);
  if (!lesson) return refuse(lesson.errors(), json);
  Result<const lesson::Variant*> variant = find_variant(*lesson, options.variant);
  if (!variant) return refuse(variant.errors(), json);
  Result<job::Request> request = job::from_lesson(*lesson, **variant, *settings, options.full_size);
  if (!request) return refuse(request.errors(), json);
  if (const Diagnostics problems = apply(options.runner, *request); !problems.empty())
    return refuse(problems, json, *request);
  return run_and_print(*request, *variant, options.runner, options.check, title_of(*lesson, **variant, *request));
}

int first_lesson_headless() {
  const lesson::Library library = lesson::load_library(lessons_folder());
  if (library.lessons.empty()) return refuse(library.problems, false);
  RunOptions options;
  options.lesson = library.lessons.front().id;
  options.runner.svg_folder = "lanescope-pictures/" + options.lesson;
  return run(options);
}

}  // namespace lanescope::cli
