// Questions and tasks: answers and edited kernels held to what a run gives.

#include <algorithm>

#include "gui/session/cures.h"
#include "gui/session/session.h"
#include "lesson/marks.h"

namespace lanescope::gui {

job::LessonNumbers& Session::numbers_of_others() {
  if (!other_numbers_)
    other_numbers_ = std::make_shared<job::LessonNumbers>(lesson(), job::measured_in(lesson(), recordings_));
  return *other_numbers_;
}

Session::Askable Session::askable(const lesson::Question& question) {
  if (!question.asks_for_time()) return Askable::yes;
  lesson::ControlValues controls = wanted().controls;
  for (const lesson::Question::Option& option : question.options) {
    const lesson::NumberReference& time = option.value.references().front();
    const lesson::Variant* of = lesson().find_variant(time.variant);
    if (of != nullptr && edited(*of)) return Askable::edited;
    if (!numbers_of_others().measured(time, variant().id, controls)) return Askable::not_measured;
  }
  return Askable::yes;
}

namespace {

// The times that decide a question about time.
std::vector<Session::Verdict::Time> times_of(const lesson::Question& question, const job::Live& live) {
  std::vector<Session::Verdict::Time> times;
  if (!question.asks_for_time()) return times;
  for (const lesson::Question::Option& option : question.options)
    if (const auto found =
            live.others.measured(option.value.references().front(), live.variant.id, live.outcome.request.controls))
      times.push_back({option.id, found->seconds, found->label});
  return times;
}

}  // namespace

void Session::answer(const lesson::Question& question, const job::Answer& given) {
  if (shown() == nullptr) return;
  (void)numbers_of_others();
  Verdict& verdict = verdicts_[question.id];
  verdict = {};
  verdict.key = shown()->key;
  changed_ = true;
  background_.post("answer " + question.id, [this, &question, given, &variant = variant(), result = results_.at(id()),
                                             others = other_numbers_](sim::Progress&) {
    auto made = std::make_shared<Verdict>();
    made->key = result->key;
    made->known = true;
    made->given = given;
    const job::Live live{variant, result->outcome, *others};
    const auto right = job::right_answer(question, live);
    if (!right) {
      made->cannot = as_window_cures(right.errors(), variant).front();
    } else if (*right) {
      made->correct = **right;
      made->right = job::is_right(given, **right);
      made->times = times_of(question, live);
      if (!made->right)
        if (const auto why = job::misunderstanding_of(question, live, given, **right); why) made->why = *why;
    } else {
      made->nothing = true;
    }
    return [this, made, id = question.id] {
      const auto at = verdicts_.find(id);
      if (at == verdicts_.end() || at->second.key != made->key) return;
      at->second = *made;
      changed_ = true;
    };
  });
}

const Session::Verdict* Session::verdict(const lesson::Question& question) const {
  const auto found = verdicts_.find(question.id);
  if (found == verdicts_.end() || shown() == nullptr || found->second.key != shown()->key) return nullptr;
  return &found->second;
}

void Session::go_to(const lesson::Look& look) {
  if (shown() == nullptr) return;
  set_launch(look.launch);
  const trace::Trace& t = shown()->outcome.first().trace;
  Place& place = places_[place_id()];
  place.block = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(look.block, std::max<std::uint64_t>(t.launch.grid.count(), 1) - 1));
  place.warp = std::min(look.warp, std::max(1u, t.launch.warps_per_block()) - 1);
  place.step = first_step_of(look, t, place.block, place.warp);
  place.chosen = true;
  changed_ = true;
}

// The variant that a choice is about: the one that was chosen, or the right one.
std::optional<std::size_t> Session::chosen_in(const lesson::Question& question) const {
  const Verdict* said = verdict(question);
  if (question.kind != lesson::Question::Kind::choice || said == nullptr || !said->known) return std::nullopt;
  for (const std::vector<std::string>& options : {said->given.options, said->correct.options}) {
    const auto* option = options.empty() ? nullptr : question.find_option(options.front());
    if (option == nullptr || option->value.references().empty()) continue;
    const auto& variants = lesson().variants;
    const auto at = std::ranges::find(variants, option->value.references().front().variant, &lesson::Variant::id);
    if (at != variants.end()) return static_cast<std::size_t>(at - variants.begin());
  }
  return std::nullopt;
}

bool Session::shows_place(const lesson::Question& question) const {
  return !question.look.mark.empty() || chosen_in(question).has_value();
}

void Session::go_to(const lesson::Question& question) {
  if (question.look.mark.empty()) {
    if (const auto variant = chosen_in(question)) {
      choose_variant(*variant);
      go_to(this->variant().look);
    }
    return;
  }
  go_to(question.look);
  if (shown() == nullptr) return;
  // The execution that the answer is of, where it is of one.
  const lesson::NumberReference* of = question.kind == lesson::Question::Kind::lanes ? &question.lanes : nullptr;
  if (question.kind == lesson::Question::Kind::number && question.answer.references().size() == 1)
    of = &question.answer.references().front();
  const bool own = of != nullptr && of->step > 0 && of->mark == question.look.mark && of->launch == launch() &&
                   (of->variant.empty() || of->variant == variant().id);
  if (own) go_to_execution(*of);
}

void Session::go_to_execution(const lesson::NumberReference& number) {
  const lesson::NumberReference* of = &number;
  const auto marks = lesson::marks(shown()->key.source);
  const auto mark = std::ranges::find(marks, of->mark, &lesson::Mark::name);
  if (mark == marks.end()) return;
  const trace::Trace& trace = shown()->outcome.first().trace;
  const auto warp = static_cast<std::uint32_t>(std::max(of->warp, 0));
  const std::vector<std::size_t> steps = job::executions_at(trace, *mark, warp, of->step);
  if (steps.empty()) return;
  // Of several instructions on the lines the one that has a picture.
  const auto events = trace.warp(0, warp);
  const auto access =
      std::ranges::find_if(steps, [&](std::size_t step) { return events[step].kind == trace::EventKind::memory; });
  Place& place = places_[place_id()];
  place.block = 0, place.warp = warp, place.chosen = true;
  place.step = access == steps.end() ? steps.front() : *access;
}

void Session::show_run_of(const lesson::NumberReference& number) {
  for (const auto& [name, value] : number.controls) set_control(name, value);
  const auto& variants = lesson().variants;
  const auto of = std::ranges::find(variants, number.variant, &lesson::Variant::id);
  if (of != variants.end() && !of->gpu_only) choose_variant(static_cast<std::size_t>(of - variants.begin()));
  run_if_needed();
}

namespace {

// Whether an event is of the kind that a number without a mark counts.
bool counts(const std::string& number, const trace::Site& site, const trace::WarpEvent& event) {
  using trace::EventKind;
  if (event.kind == EventKind::memory) {
    const bool copies = site.operation == trace::Operation::async_copy;
    const auto of = trace::class_of(event.space, copies ? trace::Operation::load : site.operation);
    return number.starts_with(std::string(trace::name_of(of)) + ".");
  }
  if (event.kind == EventKind::branch) return number == "branches" || number == "divergent_branches";
  return (event.kind == EventKind::barrier && number == "barriers") ||
         (event.kind == EventKind::shuffle && number == "shuffles") ||
         (event.kind == EventKind::vote && number == "votes");
}

}  // namespace

void Session::go_to(const lesson::NumberReference& number) {
  if (shown() == nullptr) return;
  if (!number.mark.empty()) {
    lesson::Look look;
    look.launch = std::max(number.launch, 1), look.mark = number.mark, look.view = variant().look.view;
    go_to(look);
    if (number.step > 0) go_to_execution(number);
    return;
  }
  if (number.launch > 0) set_launch(number.launch);
  const trace::Trace& trace = shown()->outcome.first().trace;
  const auto events = trace.warp(position().block, position().warp);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (counts(number.number, trace.sites[events[i].site], events[i])) {
      set_step(i);
      break;
    }
  changed_ = true;
}

std::string Session::start_of(const lesson::Task& task) const {
  const lesson::Variant variant = lesson().variant_of(task);
  const auto file = lesson().sources.find(variant.file);
  return file == lesson().sources.end() ? std::string() : file->second;
}

void Session::open_task(const lesson::Task& task) {
  const auto& variants = lesson().variants;
  const auto found = std::ranges::find(variants, task.variant, &lesson::Variant::id);
  if (found != variants.end()) choose_variant(static_cast<std::size_t>(found - variants.begin()));
}

namespace {

void add_races(const job::Outcome& outcome, Session::Grade& grade) {
  for (int launch = 1; launch <= outcome.launch_count(); ++launch) {
    const trace::Trace& trace = *outcome.trace_of(launch);
    for (const sim::Race& race : outcome.launch(launch)->races.races) {
      if (!sim::accuses(race.kind)) continue;
      grade.races.push_back(job::race_text(race, trace, outcome.request, launch));
      grade.races_chinese.push_back(job::race_text(race, trace, outcome.request, launch, "zh-CN"));
    }
  }
}

}  // namespace

void Session::grade(const lesson::Task& task, std::uint64_t most_steps) {
  const RunKey key = wanted();
  grades_[task.id] = {};
  grades_[task.id].key = key;
  changed_ = true;
  background_.post("task", [this, id = task.id, key, most_steps, &lesson = lesson(),
                            variant = lesson().variant_of(task)](sim::Progress& progress) {
    auto made = std::make_shared<Grade>();
    made->key = key, made->known = true;
    auto request = request_of(lesson, variant, key);
    if (!request) {
      made->problems = request.take_errors();
    } else {
      if (most_steps != 0) request->max_steps = most_steps;
      request->races = true;
      job::Outcome outcome = job::run(*request, &variant, &progress);
      made->checks = std::move(outcome.checks);
      if (!outcome.completed) made->problems = as_window_cures(std::move(outcome.diagnostics), variant);
      add_races(outcome, *made);
      made->passed =
          outcome.completed && !outcome.race_found() && std::ranges::all_of(made->checks, &job::CheckResult::holds);
    }
    return [this, made, id] {
      const auto at = grades_.find(id);
      if (at == grades_.end() || at->second.key != made->key) return;
      at->second = *made;
      changed_ = true;
    };
  });
}

const Session::Grade* Session::grade_of(const lesson::Task& task) const {
  const auto found = grades_.find(task.id);
  return found == grades_.end() ? nullptr : &found->second;
}

}  // namespace lanescope::gui
