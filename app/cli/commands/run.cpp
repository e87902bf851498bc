// lanescope run LESSON

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/control_values.h"
#include "cli/output/gpu_tables.h"
#include "cli/output/output.h"
#include "cli/output/table.h"
#include "core/worded.h"
#include "job/lesson/lesson_numbers.h"
#include "job/lesson/lesson_request.h"
#include "job/lesson/questions.h"
#include "lesson/nearest.h"

namespace lanescope::cli {

namespace {

std::string title_of(const lesson::Lesson& lesson, const lesson::Variant& variant, const job::Request& request) {
  std::string out = fmt::format("{}: {}\n{}\n", lesson.title.en, variant.title.en, variant.summary.en);
  const std::string values = controls_text(lesson, variant, request.controls);
  return out + (values.empty() ? "" : values + "\n") + "\n";
}

std::string title_of(const lesson::Lesson& lesson, const lesson::Task& task) {
  std::string out = fmt::format("{}: {}\n{}\n", lesson.title.en, task.title.en, task.say.en);
  for (std::size_t i = 0; i < task.hints.size(); ++i) out += fmt::format("hint {}: {}\n", i + 1, task.hints[i].en);
  return out + "\n";
}

Result<lesson::Variant> chosen(const lesson::Lesson& lesson, const RunOptions& options, const lesson::Task*& task) {
  if (options.task.empty()) {
    Result<const lesson::Variant*> variant = find_variant(lesson, options.variant);
    if (!variant) return variant.take_errors();
    return **variant;
  }
  task = lesson.find_task(options.task);
  if (task) return lesson.variant_of(*task);
  std::vector<std::string> known;
  for (const lesson::Task& other : lesson.tasks) known.push_back(other.id);
  return Diagnostic{Severity::error,
                    "lesson.no_such_task",
                    {},
                    worded("The lesson `{}` has no task `{}`.", lesson.id, options.task),
                    lesson::did_you_mean(options.task, known)};
}

nlohmann::ordered_json phrase_json(const lesson::Phrase& phrase) {
  nlohmann::ordered_json json{{"en", phrase.en}};
  if (!phrase.zh.empty()) json["zh-CN"] = phrase.zh;
  return json;
}

// A question and its answer from this run.
struct Solved {
  const lesson::Question* question = nullptr;
  Result<std::optional<job::Answer>> right = std::optional<job::Answer>();
};

std::vector<Solved> solved(const lesson::Lesson& lesson, const lesson::Variant& variant, const job::Outcome& outcome) {
  std::vector<Solved> all;
  if (!outcome.completed) return all;
  job::LessonNumbers numbers(lesson, job::measured_in(lesson, shipped_recordings(lesson.id)));
  for (const lesson::Question& question : lesson.questions)
    if (question.applies_to(variant.id))
      all.push_back({&question, job::right_answer(question, {variant, outcome, numbers})});
  return all;
}

std::string said(const Result<std::optional<job::Answer>>& right) {
  if (!right) return right.errors().front().message;
  return *right ? job::to_string(**right) : "not asked here: nothing was measured, or nothing of the kind happens";
}

std::string questions_text(const std::vector<Solved>& all) {
  std::string out = all.empty() ? "\nNo question is asked of this variant.\n" : "\n";
  for (const Solved& one : all) {
    out += fmt::format("question {}: {}\n", one.question->id, one.question->ask.en);
    for (const lesson::Question::Option& option : one.question->options)
      out += fmt::format("  ( ) {}: {}\n", option.id, option.say.en);
    out += fmt::format("  right: {}\n", said(one.right));
    for (const lesson::Misunderstanding& wrong : one.question->misunderstandings)
      out += fmt::format("  {}: {}. {}\n", wrong.option.empty() ? wrong.when.text() : wrong.option, wrong.name.en,
                         wrong.say.en);
  }
  return out;
}

nlohmann::ordered_json answer_json(const job::Answer& answer) {
  switch (answer.kind) {
    case lesson::Question::Kind::number:
      return answer.number;
    case lesson::Question::Kind::lanes: {
      nlohmann::ordered_json lanes = nlohmann::ordered_json::array();
      answer.lanes.for_each([&](int lane) { lanes.push_back(lane); });
      return lanes;
    }
    case lesson::Question::Kind::choice:
      return answer.options;
  }
  return nullptr;
}

nlohmann::ordered_json questions_json(const std::vector<Solved>& all) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  static constexpr const char* kinds[] = {"number", "lanes", "choice"};
  for (const Solved& one : all) {
    nlohmann::ordered_json made{
        {"id", one.question->id},
        {"kind", kinds[static_cast<std::size_t>(one.question->kind)]},
        {"ask", phrase_json(one.question->ask)},
        {"right", one.right && *one.right ? answer_json(**one.right) : nlohmann::ordered_json(nullptr)}};
    for (const lesson::Question::Option& option : one.question->options)
      made["options"].push_back({{"id", option.id}, {"say", phrase_json(option.say)}});
    made["misunderstandings"] = nlohmann::ordered_json::array();
    for (const lesson::Misunderstanding& wrong : one.question->misunderstandings)
      made["misunderstandings"].push_back({{"name", phrase_json(wrong.name)},
                                           {"when", wrong.option.empty() ? wrong.when.text() : wrong.option},
                                           {"say", phrase_json(wrong.say)}});
    json.push_back(std::move(made));
  }
  return json;
}

// "recorded time at n = 16,384: 3.87 µs …"
std::string time_line(const lesson::Lesson& lesson, const lesson::ControlValues& values,
                      const job::Measured& measured) {
  const auto time = [](double seconds) { return lesson::format_number(seconds, "us"); };
  return fmt::format("recorded time{}: {} ({}) · {}\n", sizes_text(lesson, values), time(measured.seconds.median),
                     interval_text(measured.seconds, time), measured.label);
}

// The recorded time of this kernel with these values, and at full size, where a launch's own cost matters less. Always
// with their label; empty if the kernel's text was changed.
std::string recorded_time(const lesson::Lesson& lesson, const lesson::Variant& variant, const job::Outcome& outcome) {
  const auto own = lesson.sources.find(variant.file);
  if (own == lesson.sources.end() || own->second != outcome.request.source.text) return {};
  const job::MeasuredSource measured = job::measured_in(lesson, shipped_recordings(lesson.id));
  const lesson::ControlValues here = outcome.request.controls, full = lesson.at_full_size(here);
  std::string out;
  if (const std::optional<job::Measured> found = measured(variant, here)) out += time_line(lesson, here, *found);
  if (full != here)
    if (const std::optional<job::Measured> found = measured(variant, full)) out += time_line(lesson, full, *found);
  return out.empty() ? "" : "\n" + out;
}

// A result that is right by luck (a race) does not solve a task.
bool solves(const job::Outcome& outcome) {
  return outcome.completed && outcome.checks_hold() && !outcome.race_found();
}

Addition addition(const lesson::Lesson& lesson, const lesson::Variant& variant, const lesson::Task* task,
                  const RunOptions& options) {
  Addition made;
  const bool questions = options.questions;
  made.text = [&lesson, &variant, task, questions](const job::Outcome& outcome) {
    std::string out =
        outcome.first().trace.origin == trace::Origin::interpreted ? recorded_time(lesson, variant, outcome) : "";
    if (questions) out += questions_text(solved(lesson, variant, outcome));
    if (task) out += fmt::format("\nThe task is {}.\n", solves(outcome) ? "solved" : "not solved yet");
    return out;
  };
  made.json = [&lesson, &variant, task, questions](const job::Outcome& outcome, nlohmann::ordered_json& json) {
    if (questions) json["questions"] = questions_json(solved(lesson, variant, outcome));
    if (task)
      json["task"] = {{"id", task->id},
                      {"title", phrase_json(task->title)},
                      {"say", phrase_json(task->say)},
                      {"solved", solves(outcome)}};
  };
  return made;
}

}  // namespace

int run(const RunOptions& options) {
  const bool json = options.runner.json;
  Result<lesson::ControlValues> settings = parse_settings(options.settings);
  if (!settings) return refuse(settings.errors(), json);
  Result<lesson::Lesson> lesson = find_lesson(options.lesson);
  if (!lesson) return refuse(lesson.errors(), json);
  const lesson::Task* task = nullptr;
  Result<lesson::Variant> variant = chosen(*lesson, options, task);
  if (!variant) return refuse(variant.errors(), json);
  Result<job::Request> request = job::from_lesson(*lesson, *variant, *settings, options.full_size);
  if (!request) return refuse(request.errors(), json);
  if (!options.source_file.empty()) {
    Result<std::string> text = read_text_file(options.source_file);
    if (!text) return refuse(text.errors(), json, *request);
    request->source.name = options.source_file;
    request->source.text = std::move(*text);
    request->races_if_small = true;
  }
  if (const Diagnostics problems = apply(options.runner, *request); !problems.empty())
    return refuse(problems, json, *request);
  request->races |= task != nullptr;
  const std::string title = task ? title_of(*lesson, *task) : title_of(*lesson, *variant, *request);
  return run_and_print(*request, &*variant, options.runner, options.check, title,
                       addition(*lesson, *variant, task, options));
}

int first_lesson_headless() {
  if (const Diagnostics missing = missing_lessons(); !missing.empty()) return refuse(missing, false);
  const lesson::Library library = lesson::load_library(lessons_folder());
  if (library.lessons.empty()) return refuse(library.problems, false);
  RunOptions options;
  options.lesson = library.lessons.front().id;
  options.runner.svg_folder = "lanescope-pictures/" + options.lesson;
  return run(options);
}

}  // namespace lanescope::cli
