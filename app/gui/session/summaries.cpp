#include "gui/session/summaries.h"

#include <algorithm>

#include "core/worded.h"
#include "lesson/marks.h"

namespace lanescope::gui {
namespace {

using trace::WarpEvent;

constexpr std::size_t at_once = 4096;        // steps that take less than a millisecond
constexpr std::size_t part_of_work = 65536;  // steps between two checks whether the work is still wanted
constexpr std::size_t most_kept = 4;         // warps: 11 MB each for a million steps

}  // namespace

Summaries::Summaries(const Selection& selection, Runs& runs, Place& place, Changes& changes,
                     const std::function<void()>& wake)
    : selection_(selection), runs_(runs), place_(place), changes_(changes), worker_(wake) {}

std::unique_ptr<Summaries::Made> Summaries::begin(const Of& of) const {
  const RunResult& shown = *runs_.shown();
  const trace::Trace& trace = shown.outcome.first().trace;
  auto made = std::make_unique<Made>();
  made->of = of;
  const std::vector<lesson::Phase> phases = lesson::phases(shown.key.source);
  std::vector<std::uint8_t> groups;
  if (!phases.empty() && phases.size() < metrics::StepSummary::mixed) {
    for (const lesson::Phase& phase : phases) made->phases.push_back(phase.name);
    groups.resize(trace.sites.size());
    for (const trace::Site& site : trace.sites)
      for (std::size_t i = 0; i < phases.size() && site.file == shown.outcome.request.source.name; ++i)
        if (phases[i].lines.first <= site.line && site.line <= phases[i].lines.last)
          groups[site.id] = static_cast<std::uint8_t>(i + 1);
  }
  made->steps = std::make_unique<metrics::StepPyramid>(trace, of.block, of.warp, std::move(groups));
  return made;
}

const metrics::StepPyramid* Summaries::steps() {
  const std::size_t count = place_.step_count();
  if (count == 0) return nullptr;
  const Position at = place_.position();
  const Of of{runs_.shown()->serial, at.block, at.warp};
  const auto found = std::ranges::find(made_, of, [](const auto& made) { return made->of; });
  if (found != made_.end()) {
    made_.splice(made_.begin(), made_, found);
    return made_.front()->steps.get();
  }
  if (of == asked_ && !worker_.idle()) return nullptr;
  asked_ = of;
  std::shared_ptr<Made> made = begin(of);
  const auto keep = [this, made] {
    if (runs_.shown() == nullptr || runs_.shown()->serial != made->of.run) return;
    // Summaries of a replaced run are useless and keep its steps in memory.
    std::erase_if(made_, [&](const auto& old) { return old->of.run != made->of.run; });
    made_.push_front(std::make_unique<Made>(std::move(*made)));
    if (made_.size() > most_kept) made_.pop_back();
  };
  // A recording belongs to the GPU's results, which may be replaced while a thread uses it.
  if (count <= at_once || runs_.shows_recorded()) {
    while (made->steps->extend(count)) {
    }
    keep();
    return made_.front()->steps.get();
  }
  made->run = runs_.keep(selection_.variant_index());
  worker_.post("steps", [made, keep](sim::Progress& progress) -> Worker::Completion {
    while (made->steps->extend(part_of_work))
      if (progress.cancel) return [] {};
    return keep;
  });
  return nullptr;
}

const metrics::BlockSteps& Summaries::block_steps(const RunResult& run, std::uint32_t block) {
  const auto found =
      std::ranges::find_if(blocks_, [&](const OfBlock& one) { return one.run == run.serial && one.block == block; });
  if (found != blocks_.end()) {
    blocks_.splice(blocks_.begin(), blocks_, found);
  } else {
    blocks_.push_front({run.serial, block, metrics::BlockSteps(run.outcome.first().trace, block)});
    if (blocks_.size() > most_kept) blocks_.pop_back();
  }
  return blocks_.front().steps;
}

const std::vector<std::string>& Summaries::phases() const {
  static const std::vector<std::string> none;
  return made_.empty() ? none : made_.front()->phases;
}

bool Summaries::go_to_worst(int way) {
  const metrics::StepPyramid* all = steps();
  const std::size_t at = place_.position().step;
  const auto found = all == nullptr ? std::nullopt : way > 0 ? all->next_worst(at) : all->previous_worst(at);
  if (found) place_.set_step(*found);
  return found.has_value();
}

// Warps without summaries are searched step by step: a key starts this search, not every frame.
bool Summaries::go_in_warps(int way, const metrics::StepPyramid::MayHave& may_have,
                            const metrics::StepPyramid::Is& is) {
  const trace::Trace& trace = runs_.shown()->outcome.first().trace;
  const Position at = place_.position();
  const auto own = trace.warp(at.block, at.warp);
  std::optional<std::size_t> found;
  if (const metrics::StepPyramid* all = steps(); all != nullptr) {
    found = way > 0 ? all->next(at.step + 1, may_have, is) : all->previous(at.step, may_have, is);
  } else {
    for (std::size_t i = at.step + static_cast<std::size_t>(way); i < own.size() && !found;
         i += static_cast<std::size_t>(way))
      if (is(own[i])) found = i;
  }
  if (found) {
    place_.set_step(*found);
    return true;
  }
  // All other events from here on, around to this warp again; events are ordered by warp.
  const auto here = static_cast<std::size_t>(own.data() - trace.events.data());
  const std::size_t count = trace.events.size();
  std::size_t i = way > 0 ? here + own.size() : here + count - 1;
  for (std::size_t walked = 0; walked<count; ++walked, way> 0 ? ++i : --i) {
    const WarpEvent& event = trace.events[i % count];
    if (!is(event)) continue;
    if (event.block != at.block) place_.set_block(event.block);
    if (event.warp != at.warp) place_.set_warp(event.warp);
    const auto events = trace.warp(event.block, event.warp);
    place_.set_step(static_cast<std::size_t>(&event - events.data()));
    return true;
  }
  return false;
}

void Summaries::go_to(Sought what, int way) {
  said_ = {};
  const WarpEvent* event = place_.event();
  if (event == nullptr) return;
  const std::vector<trace::Site>& sites = runs_.shown()->outcome.first().trace.sites;
  bool found = false;
  Wording none;
  switch (what) {
    case Sought::divergent_branch:
      found = go_in_warps(
          way, [](const metrics::StepSummary& of) { return of.divergent; }, metrics::is_divergent);
      none = worded("No kept step is a branch on which lanes disagree.");
      break;
    case Sought::worst_request:
      found = go_to_worst(way);
      none = worded(
          "No further request of this warp moves more sectors, takes more wavefronts or has more lanes at one address "
          "of an "
          "atomic than it must.");
      break;
    case Sought::access_of_line: {
      const trace::Site& here = *place_.site();
      std::uint64_t bits = 0;
      std::vector<bool> wanted(sites.size());
      for (const trace::Site& site : sites)
        if (site.kind == trace::EventKind::memory && site.line == here.line && site.file == here.file)
          wanted[site.id] = true, bits |= std::uint64_t{1} << (site.id % 64);
      found = bits != 0 && go_in_warps(
                               way, [bits](const metrics::StepSummary& of) { return (of.sites & bits) != 0; },
                               [&](const WarpEvent& at) { return wanted[at.site]; });
      none = worded("Line {} has no kept access to memory.", here.line);
      break;
    }
  }
  changes_.mark();
  if (found) return;
  said_ = none;
  const Position at = place_.position();
  ++said_number_;
  said_of_ = {runs_.shown()->serial, at.block, at.warp}, said_step_ = at.step;
}

bool Summaries::drain() {
  if (!said_.empty() && said().empty()) forget_said();  // or it would be back with the step
  return worker_.drain();
}

Wording Summaries::said() const {
  if (runs_.shown() == nullptr) return {};
  const Position at = place_.position();
  return said_of_ == Of{runs_.shown()->serial, at.block, at.warp} && said_step_ == at.step ? said_ : Wording{};
}

}  // namespace lanescope::gui
