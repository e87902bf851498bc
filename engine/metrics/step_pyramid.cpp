#include "metrics/step_pyramid.h"

#include <algorithm>

#include "metrics/request_cost.h"

namespace lanescope::metrics {
namespace {

using trace::EventKind;
using trace::WarpEvent;

LaneMask busy_lanes(const WarpEvent& event) {
  return event.kind == EventKind::branch ? event.active : event.executed;
}

void join(StepSummary& into, const StepSummary& other) {
  into.active_any = into.active_any | other.active_any;
  into.busy_any = into.busy_any | other.busy_any;
  into.busy_all = into.busy_all & other.busy_all;
  into.sites |= other.sites;
  into.sectors = std::max(into.sectors, other.sectors);
  into.conflicts = std::max(into.conflicts, other.conflicts);
  into.kinds |= other.kinds;
  into.fewest = std::min(into.fewest, other.fewest);
  into.most = std::max(into.most, other.most);
  into.divergent |= other.divergent;
  if (into.group != other.group) into.group = StepSummary::mixed;
}

std::uint16_t clamped(std::uint32_t value) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(value, 0xffff));
}

}  // namespace

bool is_divergent(const WarpEvent& event) {
  return event.kind == EventKind::branch && !event.executed.empty() && event.executed != event.active;
}

namespace {

struct Excess {
  std::uint32_t sectors = 0, passes = 0;
};

// Atomics on shared memory: their turns are in the conflicts (trace::Turns). Other atomics: lanes that update one
// address take turns there.
Excess excess_of(const trace::Trace& trace, const WarpEvent& event) {
  if (event.kind != EventKind::memory) return {};
  const RequestCost of = cost(trace, event);
  if (event.space == trace::MemorySpace::shared) return {0, of.bank_conflicts()};
  const bool takes_turns = trace::is_atomic(trace.sites[event.site].operation) && of.serial_depth > 0;
  return {of.sectors - of.ideal_sectors, takes_turns ? of.serial_depth - 1 : 0};
}

}  // namespace

std::uint32_t excess(const trace::Trace& trace, const WarpEvent& event) {
  const Excess of = excess_of(trace, event);
  return std::max(of.sectors, of.passes);
}

StepPyramid::StepPyramid(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                         std::vector<std::uint8_t> group_of_site)
    : trace_(trace),
      events_(trace.warp(block, warp)),
      group_of_site_(std::move(group_of_site)),
      there_(trace.launch.lanes_of(warp)),
      levels_(1) {
  levels_[0].summaries.reserve((events_.size() + leaf - 1) / leaf);
  groups_at_.reserve((events_.size() + leaf - 1) / leaf);
}

StepSummary StepPyramid::of_step(std::size_t step) const {
  const WarpEvent& event = events_[step];
  const LaneMask busy = busy_lanes(event);
  StepSummary of;
  of.active_any = event.active;
  of.busy_any = of.busy_all = busy;
  of.sites = std::uint64_t{1} << (event.site % 64);
  of.kinds = static_cast<std::uint8_t>(1u << static_cast<int>(event.kind));
  of.fewest = of.most = static_cast<std::uint8_t>(busy.count());
  of.divergent = is_divergent(event);
  const Excess excess = excess_of(trace_, event);
  of.sectors = clamped(excess.sectors), of.conflicts = clamped(excess.passes);
  return of;
}

bool StepPyramid::extend(std::size_t steps) {
  const std::size_t until = std::min(events_.size(), done_ + std::max(steps, leaf) / leaf * leaf);
  while (done_ < until) {
    const std::size_t end = std::min(done_ + leaf, events_.size());
    groups_at_.push_back(current_);
    StepSummary all;
    for (std::size_t i = done_; i < end; ++i) {
      StepSummary one = of_step(i);
      if (!group_of_site_.empty() && group_of_site_[events_[i].site] != 0) current_ = group_of_site_[events_[i].site];
      one.group = current_;
      short_steps_ += one.fewest < there_.count();
      costs_[std::min<std::size_t>(one.worst(), costs_.size() - 1)] = 1;
      if (i == done_)
        all = one;
      else
        join(all, one);
    }
    levels_[0].summaries.push_back(all);
    done_ = end;
  }
  if (done_ < events_.size()) return true;
  if (levels_.size() == 1) carry_up();
  return false;
}

void StepPyramid::carry_up() {
  while (levels_.back().summaries.size() > 1) {
    const Level& below = levels_.back();
    Level above{below.steps * fan, {}};
    above.summaries.reserve((below.summaries.size() + fan - 1) / fan);
    for (std::size_t i = 0; i < below.summaries.size(); i += fan) {
      StepSummary all = below.summaries[i];
      for (std::size_t j = i + 1; j < std::min(i + fan, below.summaries.size()); ++j) join(all, below.summaries[j]);
      above.summaries.push_back(all);
    }
    levels_.push_back(std::move(above));
  }
}

std::size_t StepPyramid::grain(std::size_t steps) {
  if (steps < leaf) return 1;
  std::size_t size = leaf;
  while (size * fan <= steps) size *= fan;
  return size;
}

std::uint8_t StepPyramid::group(std::size_t step) const {
  std::uint8_t at = groups_at_[step / leaf];
  for (std::size_t i = step / leaf * leaf; i <= step && !group_of_site_.empty(); ++i)
    if (const std::uint8_t own = group_of_site_[events_[i].site]; own != 0) at = own;
  return at;
}

StepSummary StepPyramid::of(std::size_t first, std::size_t last) const {
  StepSummary all;
  bool any = false;
  const auto take = [&](const StepSummary& more) {
    if (any)
      join(all, more);
    else
      all = more, any = true;
  };
  for (std::size_t at = first; at < last;) {
    if (at % leaf != 0 || (at + leaf > last && last != events_.size())) {
      StepSummary one = of_step(at);
      one.group = group(at);
      take(one);
      ++at;
      continue;
    }
    // Takes the largest summary that begins here and does not extend beyond `last`.
    std::size_t level = 0;
    while (level + 1 < levels_.size() && at % levels_[level + 1].steps == 0 &&
           (at + levels_[level + 1].steps <= last || last == events_.size()))
      ++level;
    take(levels_[level].summaries[at / levels_[level].steps]);
    at += levels_[level].steps;
  }
  return all;
}

LaneMask StepPyramid::active_after(std::size_t step) const {
  return step + 1 < events_.size() ? of(step + 1, events_.size()).active_any : LaneMask::none();
}

// The highest level at which the step's summary has no match; null if its leaf may have one.
const StepPyramid::Level* StepPyramid::without(std::size_t step, const MayHave& may_have) const {
  const Level* highest = nullptr;
  for (const Level& level : levels_) {
    if (may_have(level.summaries[step / level.steps])) break;
    highest = &level;
  }
  return highest;
}

std::optional<std::size_t> StepPyramid::next(std::size_t first, const MayHave& may_have, const Is& is) const {
  bool look = true;  // at the start of a leaf, where summaries can be skipped
  for (std::size_t at = first; at < events_.size(); ++at, look = at % leaf == 0) {
    while (look && at < events_.size()) {
      const Level* none = without(at, may_have);
      if (none == nullptr) break;
      at = (at / none->steps + 1) * none->steps;
    }
    if (at < events_.size() && is(events_[at])) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> StepPyramid::previous(std::size_t end, const MayHave& may_have, const Is& is) const {
  bool look = true;
  for (std::size_t at = std::min(end, events_.size()); at > 0; look = at % leaf == 0) {
    while (look && at > 0) {
      const Level* none = without(at - 1, may_have);
      if (none == nullptr) break;
      at = (at - 1) / none->steps * none->steps;
    }
    if (at > 0 && is(events_[--at])) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> StepPyramid::equally_bad(std::uint32_t cost, std::size_t from, bool forwards) const {
  const auto may_have = [cost](const StepSummary& of) { return of.worst() >= cost; };
  const auto is = [&](const WarpEvent& event) { return excess(trace_, event) == cost; };
  return forwards ? next(from, may_have, is) : previous(from, may_have, is);
}

std::optional<std::size_t> StepPyramid::next_worst(std::size_t step) const {
  std::uint32_t cost = step < size() ? excess(trace_, events_[step]) : 0;
  if (cost > 0)
    if (const auto found = equally_bad(cost, step + 1, true)) return found;
  for (std::size_t less = cost > 0 ? cost : costs_.size(); less-- > 1;)
    if (costs_[less] != 0)
      if (const auto found = equally_bad(static_cast<std::uint32_t>(less), 0, true)) return found;
  return std::nullopt;
}

std::optional<std::size_t> StepPyramid::previous_worst(std::size_t step) const {
  const std::uint32_t cost = step < size() ? excess(trace_, events_[step]) : 0;
  if (cost > 0)
    if (const auto found = equally_bad(cost, step, false)) return found;
  for (std::size_t more = cost + 1; more < costs_.size(); ++more)
    if (costs_[more] != 0)
      if (const auto found = equally_bad(static_cast<std::uint32_t>(more), size(), false)) return found;
  return std::nullopt;
}

std::size_t StepPyramid::bytes() const {
  std::size_t all = groups_at_.capacity();
  for (const Level& level : levels_) all += level.summaries.capacity() * sizeof(StepSummary);
  return all;
}

}  // namespace lanescope::metrics
