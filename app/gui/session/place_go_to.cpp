// Going to where something happens: a marked line, a number's origin, a step, an access.

#include <algorithm>

#include "gui/session/place.h"
#include "job/lesson/questions.h"
#include "lesson/marks.h"

namespace lanescope::gui {

void Place::choose(std::uint32_t block, std::uint32_t warp, std::size_t step) {
  Kept& place = kept();
  place.block = block, place.warp = warp, place.step = step, place.chosen = true;
}

void Place::go_to(const lesson::Look& look) {
  if (runs_.shown() == nullptr) return;
  runs_.set_launch(look.launch);
  const trace::Trace& t = runs_.shown()->outcome.first().trace;
  const auto block = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(look.block, std::max<std::uint64_t>(t.launch.grid.count(), 1) - 1));
  const std::uint32_t warp = std::min(look.warp, std::max(1u, t.launch.warps_per_block()) - 1);
  choose(block, warp, first_step_of(look, t, block, warp));
  changes_.mark();
}

void Place::go_to_execution(const lesson::NumberReference& number) {
  const RunResult* result = runs_.shown();
  if (result == nullptr) return;
  const auto marks = lesson::marks(result->key.source);
  const auto mark = std::ranges::find(marks, number.mark, &lesson::Mark::name);
  if (mark == marks.end()) return;
  const trace::Trace& trace = result->outcome.first().trace;
  const auto warp = static_cast<std::uint32_t>(std::max(number.warp, 0));
  const std::vector<std::size_t> steps = job::executions_at(trace, *mark, warp, number.step);
  if (steps.empty()) return;
  // Of several instructions on the lines the one that has a picture.
  const auto events = trace.warp(0, warp);
  const auto access =
      std::ranges::find_if(steps, [&](std::size_t step) { return events[step].kind == trace::EventKind::memory; });
  choose(0, warp, access == steps.end() ? steps.front() : *access);
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

void Place::go_to(const lesson::NumberReference& number) {
  if (runs_.shown() == nullptr) return;
  if (!number.mark.empty()) {
    lesson::Look look;
    look.launch = std::max(number.launch, 1), look.mark = number.mark, look.view = selection_.variant().look.view;
    go_to(look);
    if (number.step > 0) go_to_execution(number);
    return;
  }
  if (number.launch > 0) runs_.set_launch(number.launch);
  const trace::Trace& trace = runs_.shown()->outcome.first().trace;
  const auto events = trace.warp(position().block, position().warp);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (counts(number.number, trace.sites[events[i].site], events[i])) {
      set_step(i);
      break;
    }
  changes_.mark();
}

bool Place::go_to_step(int launch, const sim::Step& step) {
  const RunResult* run = runs_.shown(selection_.variant_index(), launch);
  if (run == nullptr) return false;
  const auto events = run->outcome.first().trace.warp(step.block, step.warp);
  const auto at = std::ranges::find(events, step.sequence, &trace::WarpEvent::sequence);
  if (at == events.end()) return false;
  runs_.set_launch(launch);
  choose(step.block, step.warp, static_cast<std::size_t>(at - events.begin()));
  changes_.mark();
  clamp();
  return true;
}

bool Place::go_to_access(int launch, const job::RacePlace& at, bool last) {
  if (runs_.shown() == nullptr) return false;
  runs_.set_launch(launch);
  const RunResult& shown = *runs_.shown();
  const trace::Trace& trace = shown.outcome.first().trace;
  const std::uint32_t warp = at.thread / 32;
  const auto events = trace.warp(at.block, warp);
  bool found = false;
  for (std::size_t i = 0; i < events.size() && (last || !found); ++i) {
    const trace::Site& site = trace.sites[events[i].site];
    if (events[i].kind != trace::EventKind::memory || site.line != at.line ||
        site.file != shown.outcome.request.source.name || !events[i].executed.test(static_cast<int>(at.thread % 32)))
      continue;
    choose(at.block, warp, i);
    changes_.mark();
    found = true;
  }
  return found;
}

}  // namespace lanescope::gui
