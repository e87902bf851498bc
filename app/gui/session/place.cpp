#include "gui/session/place.h"

#include <algorithm>
#include <utility>

#include "diagram/views.h"
#include "lesson/marks.h"

namespace lanescope::gui {
namespace {

// A block or warp index, clamped to the launch.
std::uint32_t block_of(const trace::Trace& trace, std::uint64_t wanted) {
  return static_cast<std::uint32_t>(std::min(wanted, std::max<std::uint64_t>(trace.launch.grid.count(), 1) - 1));
}
std::uint32_t warp_of(const trace::Trace& trace, std::uint32_t wanted) {
  return std::min(wanted, std::max(1u, trace.launch.warps_per_block()) - 1);
}

}  // namespace

VariantId Place::id() const {
  VariantId of = selection_.id();
  if (runs_.launch() > 1) of.second += "#" + std::to_string(runs_.launch());  // a variant's id never contains '#'
  return of;
}

void Place::remember() {
  const trace::Site* at = site();
  if (at == nullptr) return;
  Kept& place = kept();
  place.opcode = at->opcode;
  place.line = at->line;
  place.occurrence = 0;
  const auto events = runs_.shown()->outcome.first().trace.warp(place.block, place.warp);
  const auto& sites = runs_.shown()->outcome.first().trace.sites;
  for (std::size_t i = 0; i < place.step && i < events.size(); ++i) {
    const trace::Site& site = sites[events[i].site];  // counted as settle() does
    if (site.opcode == at->opcode && site.line == at->line) ++place.occurrence;
  }
}

void Place::settle() {
  if (runs_.shown() == nullptr) return;
  Kept& place = kept();
  const trace::Trace& t = runs_.shown()->outcome.first().trace;
  const bool is_new = std::exchange(place.settled_in, runs_.shown()->serial) != runs_.shown()->serial;
  if (is_new && runs_.shown()->fault_step()) {
    const trace::FaultPlace& fault = *runs_.shown()->fault();
    place.block = fault.block, place.warp = fault.warp, place.step = *runs_.shown()->fault_step();
    return;
  }
  place.block = block_of(t, place.block);
  place.warp = warp_of(t, place.warp);
  if (!place.chosen) {
    // The place where the lesson's picture opens.
    const lesson::Look& look = selection_.variant().look;
    place.block = block_of(t, look.block);
    place.warp = warp_of(t, look.warp);
    place.step = first_step_of(look, t, place.block, place.warp);
    return;
  }
  const auto events = t.warp(place.block, place.warp);
  std::size_t left = place.occurrence;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::Site& site = t.sites[events[i].site];
    if (site.opcode != place.opcode || site.line != place.line) continue;
    if (left-- == 0) {
      place.step = i;
      return;
    }
  }
  clamp();
}

void Place::take_over(const VariantId& before) {
  const auto was = kept_.find(before);
  if (was == kept_.end()) return;
  Kept place = was->second;
  place.settled_in = 0;
  place.chosen = true;  // also where nobody chose it: it was on screen
  kept_[id()] = std::move(place);
}

void Place::enter() {
  if (runs_.shown() != nullptr && kept().settled_in != runs_.shown()->serial) settle();
}

// Among the steps on the marked lines: the first that the named picture can show, else the first memory access. Without
// a mark: the step with most waste or conflicts.
std::size_t Place::first_step_of(const lesson::Look& look, const trace::Trace& trace, std::uint32_t block,
                                 std::uint32_t warp) const {
  if (!look.mark.empty()) {
    const auto marks = lesson::marks(selection_.source());
    const auto mark = std::ranges::find(marks, look.mark, &lesson::Mark::name);
    const auto events = trace.warp(block, warp);
    const auto first = [&](const auto& fits) {
      for (std::size_t i = 0; mark != marks.end() && i < events.size(); ++i) {
        const trace::Site& site = trace.sites[events[i].site];
        if (mark->contains(site.line) && fits(site, events[i])) return i;
      }
      return events.size();
    };
    using trace::EventKind;
    for (const std::size_t step :
         {first([&](const auto&site, const auto&event) { return diagram::is_subject(look.view, site, event); }),
          first([](const auto&, const auto&event) { return event.kind == EventKind::memory; }),
          first([](const auto&, const auto&event) { return event.kind != EventKind::block_entry; })})
      if (step < events.size()) return step;
  }
  return most_telling_step(trace, block, warp);
}

void Place::clamp() {
  Kept& place = kept();
  const std::size_t count = step_count();
  place.step = count == 0 ? 0 : std::min(place.step, count - 1);
}

Position Place::position() const {
  const auto found = kept_.find(id());
  if (found == kept_.end()) return {};
  return {found->second.block, found->second.warp, found->second.step};
}

void Place::set_block(std::uint32_t block) {
  remember();
  kept().block = block;
  kept().chosen = true;
  settle();
}

void Place::set_warp(std::uint32_t warp) {
  remember();
  kept().warp = warp;
  kept().chosen = true;
  settle();
}

void Place::set_step(std::size_t step) {
  kept().step = step;
  kept().chosen = true;
  clamp();
}

void Place::step_by(std::ptrdiff_t delta) {
  const auto at = static_cast<std::ptrdiff_t>(position().step) + delta;
  set_step(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0)));
}

std::size_t Place::step_count() const {
  const RunResult* result = runs_.shown();
  if (result == nullptr) return 0;
  const Position at = position();
  return result->outcome.first().trace.warp(at.block, at.warp).size();
}

const trace::WarpEvent* Place::event() const {
  const RunResult* result = runs_.shown();
  if (result == nullptr) return nullptr;
  const Position at = position();
  const auto events = result->outcome.first().trace.warp(at.block, at.warp);
  return at.step < events.size() ? &events[at.step] : nullptr;
}

const trace::Site* Place::site() const {
  const trace::WarpEvent* at = event();
  return at == nullptr ? nullptr : &runs_.shown()->outcome.first().trace.sites[at->site];
}

}  // namespace lanescope::gui
