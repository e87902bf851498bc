#include "gui/session/exercises.h"

#include <algorithm>

#include "gui/forms/cures.h"

namespace lanescope::gui {

void Exercises::lesson_left() {
  verdicts_.clear();
  grades_.clear();
}

Exercises::Askable Exercises::askable(const lesson::Question& question) {
  if (!question.asks_for_time()) return Askable::yes;
  lesson::ControlValues controls = selection_.wanted().controls;
  for (const lesson::Question::Option& option : question.options) {
    const lesson::NumberReference& time = option.value.references().front();
    const lesson::Variant* of = selection_.lesson().find_variant(time.variant);
    if (of != nullptr && selection_.differs(*of)) return Askable::edited;
    if (!recordings_.numbers_of_others()->measured(time, selection_.variant().id, controls))
      return Askable::not_measured;
  }
  return Askable::yes;
}

namespace {

// The times that decide a question about time.
std::vector<Exercises::Verdict::Time> times_of(const lesson::Question& question, const job::Live& live) {
  std::vector<Exercises::Verdict::Time> times;
  if (!question.asks_for_time()) return times;
  for (const lesson::Question::Option& option : question.options)
    if (const auto found =
            live.others.measured(option.value.references().front(), live.variant.id, live.outcome.request.controls))
      times.push_back({option.id, found->seconds, found->label});
  return times;
}

Exercises::Verdict judged(const lesson::Question& question, const job::Answer& given, const lesson::Variant& variant,
                          const RunResult& result, job::LessonNumbers& others) {
  Exercises::Verdict made;
  made.key = result.key;
  made.known = true;
  made.given = given;
  const job::Live live{variant, result.outcome, others};
  const auto right = job::right_answer(question, live);
  if (!right) {
    made.cannot = as_window_cures(right.errors(), variant).front();
  } else if (*right) {
    made.correct = **right;
    made.right = job::is_right(given, **right);
    made.times = times_of(question, live);
    if (!made.right)
      if (const auto why = job::misunderstanding_of(question, live, given, **right); why) made.why = *why;
  } else {
    made.nothing = true;
  }
  return made;
}

}  // namespace

void Exercises::answer(const lesson::Question& question, const job::Answer& given) {
  if (!runs_.shows_whole()) return;
  const auto others = recordings_.numbers_of_others();
  Verdict& verdict = verdicts_[question.id];
  verdict = {};
  verdict.key = runs_.shown()->key;
  changes_.mark();
  background_.post("answer " + question.id, [this, &question, given, &variant = selection_.variant(),
                                             result = runs_.keep(selection_.variant_index()), others](sim::Progress&) {
    auto made = std::make_shared<Verdict>(judged(question, given, variant, *result, *others));
    return [this, made, id = question.id] {
      const auto at = verdicts_.find(id);
      if (at == verdicts_.end() || at->second.key != made->key) return;
      at->second = *made;
      changes_.mark();
    };
  });
}

const Exercises::Verdict* Exercises::verdict(const lesson::Question& question) const {
  const auto found = verdicts_.find(question.id);
  const RunResult* shown = runs_.shown();
  if (found == verdicts_.end() || shown == nullptr || found->second.key != shown->key) return nullptr;
  return &found->second;
}

std::optional<std::size_t> Exercises::chosen_in(const lesson::Question& question) const {
  const Verdict* said = verdict(question);
  if (question.kind != lesson::Question::Kind::choice || said == nullptr || !said->known) return std::nullopt;
  for (const std::vector<std::string>& options : {said->given.options, said->correct.options}) {
    const auto* option = options.empty() ? nullptr : question.find_option(options.front());
    if (option == nullptr || option->value.references().empty()) continue;
    const auto& variants = selection_.lesson().variants;
    const auto at = std::ranges::find(variants, option->value.references().front().variant, &lesson::Variant::id);
    if (at != variants.end()) return static_cast<std::size_t>(at - variants.begin());
  }
  return std::nullopt;
}

bool Exercises::shows_place(const lesson::Question& question) const {
  return !question.look.mark.empty() || chosen_in(question).has_value();
}

std::string Exercises::start_of(const lesson::Task& task) const {
  const lesson::Lesson& lesson = selection_.lesson();
  const lesson::Variant variant = lesson.variant_of(task);
  const auto file = lesson.sources.find(variant.file);
  return file == lesson.sources.end() ? std::string() : file->second;
}

namespace {

void add_races(const job::Outcome& outcome, Exercises::Grade& grade) {
  for (int launch = 1; launch <= outcome.launch_count(); ++launch) {
    const trace::Trace& trace = *outcome.trace_of(launch);
    for (const sim::Race& race : outcome.launch(launch)->races.races) {
      if (!sim::accuses(race.kind)) continue;
      grade.races.push_back(job::race_text(race, trace, outcome.request, launch));
      grade.races_chinese.push_back(job::race_text(race, trace, outcome.request, launch, "zh-CN"));
    }
  }
}

Exercises::Grade graded(const lesson::Lesson& lesson, const lesson::Variant& variant, const RunKey& key,
                        std::uint64_t most_steps, sim::Progress& progress) {
  Exercises::Grade made;
  made.key = key, made.known = true;
  auto request = request_of(lesson, variant, key);
  if (!request) {
    made.problems = request.take_errors();
    return made;
  }
  if (most_steps != 0) request->max_steps = most_steps;
  request->races = true;
  job::Outcome outcome = job::run(*request, &variant, &progress);
  made.checks = std::move(outcome.checks);
  if (!outcome.completed) made.problems = as_window_cures(std::move(outcome.diagnostics), variant);
  add_races(outcome, made);
  made.passed =
      outcome.completed && !outcome.race_found() && std::ranges::all_of(made.checks, &job::CheckResult::holds);
  return made;
}

}  // namespace

void Exercises::grade(const lesson::Task& task, std::uint64_t most_steps) {
  RunKey key = selection_.wanted();
  key.launch.clear();  // a task is graded with its own launch, whatever Run uses
  grades_[task.id] = {};
  grades_[task.id].key = key;
  changes_.mark();
  const lesson::Lesson& lesson = selection_.lesson();
  background_.post("task", [this, id = task.id, key, most_steps, &lesson,
                            variant = lesson.variant_of(task)](sim::Progress& progress) {
    auto made = std::make_shared<Grade>(graded(lesson, variant, key, most_steps, progress));
    return [this, made, id] {
      const auto at = grades_.find(id);
      if (at == grades_.end() || at->second.key != made->key) return;
      at->second = *made;
      changes_.mark();
    };
  });
}

bool Exercises::outdated(const Grade& grade) const {
  RunKey now = selection_.wanted();
  now.launch.clear();
  return grade.key != now;
}

const Exercises::Grade* Exercises::grade_of(const lesson::Task& task) const {
  const auto found = grades_.find(task.id);
  return found == grades_.end() ? nullptr : &found->second;
}

}  // namespace lanescope::gui
