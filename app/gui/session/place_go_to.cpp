// Goes to where something happens: a marked line, a number's origin, a step, an access.

#include <algorithm>
#include <string_view>

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
  // Of several instructions on the lines, prefers one with a picture.
  const auto events = trace.warp(0, warp);
  const auto access =
      std::ranges::find_if(steps, [&](std::size_t step) { return events[step].kind == trace::EventKind::memory; });
  choose(0, warp, access == steps.end() ? steps.front() : *access);
}

namespace {

// Numbers that count instructions come from the entries of basic blocks.
bool is_of_instructions(const std::string& number) {
  return number == "simt_efficiency" || number == "warp_instructions" || number == "lane_instructions";
}

// True if a number without a mark counts this kind of event.
bool counts(const std::string& number, const trace::Site& site, const trace::WarpEvent& event) {
  using trace::EventKind;
  if (event.kind == EventKind::memory) {
    const bool copies = site.operation == trace::Operation::async_copy;
    const auto of = trace::class_of(event.space, copies ? trace::Operation::load : site.operation);
    return number.starts_with(std::string(trace::name_of(of)) + ".");
  }
  if (event.kind == EventKind::block_entry) return is_of_instructions(number);
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

// Searches this warp, then the first warp with a match.
bool Place::go_to_next(const std::function<bool(const trace::WarpEvent&)>& wanted, bool from_here) {
  const trace::Trace& trace = runs_.shown()->outcome.first().trace;
  const Position at = position();
  const auto own = trace.warp(at.block, at.warp);
  const std::size_t first = from_here ? at.step + 1 : 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t step = (first + i) % own.size();
    if (!wanted(own[step])) continue;
    set_step(step);
    return true;
  }
  const auto other = std::ranges::find_if(trace.events, wanted);
  if (other == trace.events.end()) return false;
  return go_to_step(runs_.launch(), {other->block, other->warp, other->sequence});
}

bool Place::go_to_line(int line) {
  const RunResult* run = runs_.shown();
  if (run == nullptr) return false;
  const auto& sites = run->outcome.first().trace.sites;
  const std::string& file = run->outcome.request.source.name;
  return go_to_next(
      [&](const trace::WarpEvent& event) { return sites[event.site].line == line && sites[event.site].file == file; },
      /*from_here=*/true);
}

namespace {

// What a site contributes to a number; for a number of requests, their cost.
std::uint64_t share_of(const std::string& number, const trace::Site& site, const trace::SiteTotals& totals) {
  const trace::MemoryTotals& memory = totals.memory;
  if (number.ends_with(".bank_conflicts")) return memory.bank_conflicts();
  if (number.find("wavefronts") != std::string::npos) return memory.wavefronts;
  if (site.kind == trace::EventKind::memory && memory.requests > 0)
    return memory.sectors > 0 ? memory.sectors : memory.wavefronts > 0 ? memory.wavefronts : memory.requests;
  if (number == "divergent_branches") return totals.divergent;
  const auto instructions = static_cast<std::uint64_t>(site.instruction_count);
  if (number == "simt_efficiency")
    return (totals.executions * MemoryModel::lanes - totals.executed_lanes) * instructions;
  if (number == "lane_instructions") return totals.executed_lanes * instructions;
  if (number == "warp_instructions") return totals.executions * instructions;
  return totals.executions;
}

}  // namespace

bool Place::has_most(const std::string& number) {
  static constexpr std::string_view others[] = {"branches", "divergent_branches", "barriers", "shuffles", "votes"};
  return number.find('.') != std::string::npos || is_of_instructions(number) ||
         std::ranges::find(others, number) != std::end(others);
}

bool Place::go_to_most(const std::string& number) {
  const RunResult* run = runs_.shown();
  if (run == nullptr) return false;
  const trace::Trace& trace = run->outcome.first().trace;
  std::vector<std::uint64_t> shares(trace.sites.size());
  for (const trace::WarpEvent& event : trace.events) {  // only sites with a step to go to
    std::uint64_t& share = shares[event.site];
    if (share == 0 && counts(number, trace.sites[event.site], event))
      share = share_of(number, trace.sites[event.site], trace.totals.sites[event.site]);
  }
  const auto most = std::ranges::max_element(shares);
  if (most == shares.end() || *most == 0) return false;
  const auto site = static_cast<std::uint32_t>(most - shares.begin());
  return go_to_next([&](const trace::WarpEvent& event) { return event.site == site; }, /*from_here=*/false);
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

bool Place::go_to_fault() {
  const RunResult* whole = runs_.shown(selection_.variant_index());
  const int launch = whole == nullptr ? 0 : whole->faulty_launch();
  const RunResult* faulty = launch == 0 ? nullptr : whole->of_launch(launch);
  if (faulty == nullptr || !faulty->fault_step()) return false;
  runs_.set_launch(launch);
  choose(faulty->fault()->block, faulty->fault()->warp, *faulty->fault_step());
  changes_.mark();
  return true;
}

}  // namespace lanescope::gui
