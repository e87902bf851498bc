// Questions and tasks: answers and edited kernels held to what a run gives.

#include <algorithm>

#include "gui/session.h"
#include "lesson/marks.h"

namespace lanescope::gui {

void Session::answer(const lesson::Question& question, const job::Answer& given) {
  if (shown() == nullptr) return;
  if (!other_numbers_) other_numbers_ = std::make_shared<job::LessonNumbers>(lesson());
  Verdict& verdict = verdicts_[question.id];
  verdict = {shown()->key, false, false, {}, nullptr, {}};
  changed_ = true;
  background_.post("answer " + question.id, [this, &question, given, &variant = variant(),
                                             result = results_.at(id()),
                                             others = other_numbers_](sim::Progress&) {
    auto made = std::make_shared<Verdict>();
    made->key = result->key;
    made->known = true;
    const job::Live live{variant, result->outcome, *others};
    const auto right = job::right_answer(question, live);
    if (!right) {
      made->cannot = right.errors().front().message;
    } else if (*right) {
      made->correct = **right;
      made->right = job::is_right(given, **right);
      if (!made->right)
        if (const auto why = job::misunderstanding_of(question, live, given, **right); why)
          made->why = *why;
    }
    const bool nothing = right.ok() && !*right;
    return [this, made, nothing, id = question.id] {
      const auto at = verdicts_.find(id);
      if (at == verdicts_.end() || at->second.key != made->key) return;
      if (nothing)
        verdicts_.erase(at);
      else
        at->second = *made;
      changed_ = true;
    };
  });
}

const Session::Verdict* Session::verdict(const lesson::Question& question) const {
  const auto found = verdicts_.find(question.id);
  if (found == verdicts_.end() || shown() == nullptr || found->second.key != shown()->key)
    return nullptr;
  return &found->second;
}

void Session::go_to(const lesson::Look& look) {
  if (shown() == nullptr) return;
  const trace::Trace& t = shown()->outcome.trace;
  Place& place = places_[id()];
  place.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      look.block, std::max<std::uint64_t>(t.launch.grid.count(), 1) - 1));
  place.warp = std::min(look.warp, std::max(1u, t.launch.warps_per_block()) - 1);
  place.step = first_step_of(look.mark, t, place.block, place.warp);
  place.chosen = true;
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
  if (found != variants.end())
    choose_variant(static_cast<std::size_t>(found - variants.begin()));
}

void Session::grade(const lesson::Task& task) {
  const RunKey key = wanted();
  grades_[task.id] = {key, false, false, {}, {}};
  changed_ = true;
  background_.post("task", [this, id = task.id, key, &lesson = lesson(),
                            variant = lesson().variant_of(task)](sim::Progress& progress) {
    auto made = std::make_shared<Grade>();
    made->key = key, made->known = true;
    auto request = job::from_lesson(lesson, variant, key.controls);
    if (!request) {
      made->problems = request.take_errors();
    } else {
      request->source.text = key.source;
      constexpr std::uint64_t most_steps = 2'000'000'000;
      request->max_steps = most_steps;
      job::Outcome outcome = job::run(*request, &variant, &progress);
      made->checks = std::move(outcome.checks);
      if (!outcome.completed) made->problems = std::move(outcome.diagnostics);
      made->passed = outcome.completed && std::ranges::all_of(made->checks, &job::CheckResult::holds);
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
