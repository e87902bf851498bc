// Where the learner looks: block, warp and step, kept for each variant and found again after a change.

#include <algorithm>

#include "diagram/views.h"
#include "gui/session/session.h"
#include "lesson/marks.h"

namespace lanescope::gui {

void Session::remember_place() {
  const trace::Site* at = site();
  if (at == nullptr) return;
  Place& place = places_[place_id()];
  place.opcode = at->opcode;
  place.line = at->line;
  place.occurrence = 0;
  const auto events = shown()->outcome.first().trace.warp(place.block, place.warp);
  for (std::size_t i = 0; i < place.step && i < events.size(); ++i)
    if (events[i].site == at->id) ++place.occurrence;
}

void Session::settle_place() {
  Place& place = places_[place_id()];
  const trace::Trace& t = shown()->outcome.first().trace;
  place.settled_in = shown()->serial;
  place.block =
      std::min(place.block, static_cast<std::uint32_t>(std::max<std::uint64_t>(t.launch.grid.count(), 1) - 1));
  place.warp = std::min(place.warp, std::max(1u, t.launch.warps_per_block()) - 1);
  const auto events = t.warp(place.block, place.warp);
  if (!place.chosen) {
    const auto blocks = std::max<std::uint64_t>(t.launch.grid.count(), 1);
    place.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(variant().look.block, blocks - 1));
    place.warp = std::min(variant().look.warp, std::max(1u, t.launch.warps_per_block()) - 1);
    place.step = first_step(t, place.block, place.warp);
    return;
  }
  std::size_t left = place.occurrence;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::Site& site = t.sites[events[i].site];
    if (site.opcode != place.opcode || site.line != place.line) continue;
    if (left-- == 0) {
      place.step = i;
      return;
    }
  }
  clamp_place();
}

void Session::leave_variant() {
  if (shown() != nullptr) remember_place();
  last_variant_[lesson().id] = variant_;
}

// It may have run since it was on screen: beside another one, or when another lesson had come.
void Session::enter_variant(std::size_t index) {
  variant_ = index;
  last_variant_[lesson().id] = index;
  changed_ = true;
  if (shown() != nullptr && places_[place_id()].settled_in != shown()->serial) settle_place();
  run_if_needed();
}

// Where the lesson wants the picture to open; without its word, where most moves or waits for nothing.
std::size_t Session::first_step(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp) const {
  return first_step_of(variant().look, trace, block, warp);
}

// Of several steps of the marked lines the first that the named picture shows, else the first that accesses memory.
std::size_t Session::first_step_of(const lesson::Look& look, const trace::Trace& trace, std::uint32_t block,
                                   std::uint32_t warp) const {
  if (!look.mark.empty()) {
    const auto marks = lesson::marks(source());
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

void Session::clamp_place() {
  Place& place = places_[place_id()];
  const std::size_t count = step_count();
  place.step = count == 0 ? 0 : std::min(place.step, count - 1);
}

Position Session::position() const {
  const auto found = places_.find(place_id());
  if (found == places_.end()) return {};
  return {found->second.block, found->second.warp, found->second.step};
}

void Session::set_block(std::uint32_t block) {
  remember_place();
  places_[place_id()].block = block;
  places_[place_id()].chosen = true;
  if (shown() != nullptr) settle_place();
}

void Session::set_warp(std::uint32_t warp) {
  remember_place();
  places_[place_id()].warp = warp;
  places_[place_id()].chosen = true;
  if (shown() != nullptr) settle_place();
}

void Session::set_step(std::size_t step) {
  Place& place = places_[place_id()];
  place.step = step;
  place.chosen = true;
  clamp_place();
}

void Session::step_by(std::ptrdiff_t delta) {
  const auto at = static_cast<std::ptrdiff_t>(position().step) + delta;
  set_step(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0)));
}

std::size_t Session::step_count() const {
  const RunResult* result = shown();
  if (result == nullptr) return 0;
  const Position at = position();
  return result->outcome.first().trace.warp(at.block, at.warp).size();
}

const trace::WarpEvent* Session::event() const {
  const RunResult* result = shown();
  if (result == nullptr) return nullptr;
  const Position at = position();
  const auto events = result->outcome.first().trace.warp(at.block, at.warp);
  return at.step < events.size() ? &events[at.step] : nullptr;
}

const trace::Site* Session::site() const {
  const trace::WarpEvent* at = event();
  return at == nullptr ? nullptr : &shown()->outcome.first().trace.sites[at->site];
}

}  // namespace lanescope::gui
