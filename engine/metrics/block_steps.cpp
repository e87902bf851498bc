#include "metrics/block_steps.h"

#include <algorithm>
#include <span>
#include <utility>

#include "metrics/steps.h"

namespace lanescope::metrics {
namespace {

constexpr std::size_t apart = 64;  // an answer walks through so many events of each warp

// The events of each warp of a block, found one after the other: Trace::warp() for each takes longer than the rest of
// an answer.
std::vector<std::span<const trace::WarpEvent>> events_of(const trace::Trace& trace, std::uint32_t block,
                                                         std::size_t warps) {
  std::vector<std::span<const trace::WarpEvent>> of;
  const auto begin_of = [&](auto from, std::uint32_t warp) {
    return std::partition_point(from, trace.events.end(), [&](const trace::WarpEvent& event) {
      return std::pair(event.block, std::uint32_t{event.warp}) < std::pair(block, warp);
    });
  };
  for (auto first = begin_of(trace.events.begin(), 0); of.size() < warps;) {
    const auto last = begin_of(first, static_cast<std::uint32_t>(of.size()) + 1);
    of.emplace_back(first, last);
    first = last;
  }
  return of;
}

}  // namespace

BlockSteps::BlockSteps(const trace::Trace& trace, std::uint32_t block)
    : block_(block), warps_(trace.launch.warps_per_block()) {
  std::vector<bool> barrier;
  for (const trace::Site& site : trace.sites) barrier.push_back(is_block_barrier(site));
  for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
    const auto events = trace.warp(block, warp);
    Mark now{0, std::vector<std::uint32_t>(trace.sites.size())};
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i % apart == 0) warps_[warp].push_back(now);
      const std::uint32_t site = events[i].site;
      ++now.since[site];
      if (barrier[site]) ++now.barriers, std::ranges::fill(now.since, 0u);
    }
  }
}

std::vector<const trace::WarpEvent*> BlockSteps::across(const trace::Trace& trace, std::uint32_t warp,
                                                        std::size_t step) const {
  std::vector<const trace::WarpEvent*> result(warps_.size());
  if (warp >= warps_.size()) return result;
  const std::vector<std::span<const trace::WarpEvent>> all = events_of(trace, block_, warps_.size());
  if (step >= all[warp].size()) return result;
  const std::uint32_t site = all[warp][step].site;
  // Walks from a mark until wanted(index, place) is true for an event of the site.
  using Place = std::pair<std::size_t, std::size_t>;  // barriers, occurrence since
  const auto walk = [&](std::uint32_t of, std::size_t mark, const auto& wanted) {
    const auto events = all[of];
    Place place{warps_[of][mark].barriers, warps_[of][mark].since[site]};
    for (std::size_t i = mark * apart; i < std::min(events.size(), (mark + 1) * apart); ++i) {
      if (events[i].site == site && wanted(i, place)) return;
      if (events[i].site == site) ++place.second;
      if (is_block_barrier(trace.sites[events[i].site])) ++place.first, place.second = 0;
    }
  };
  Place own;
  walk(warp, step / apart, [&](std::size_t i, const Place& place) { return own = place, i == step; });
  for (std::uint32_t other = 0; other < warps_.size(); ++other) {
    const std::vector<Mark>& marks = warps_[other];
    // The marks are in order. This finds the last one that is not after the place.
    const auto behind = std::partition_point(marks.begin(), marks.end(), [&](const Mark& mark) {
      return Place{mark.barriers, mark.since[site]} <= own;
    });
    if (behind == marks.begin()) continue;
    walk(other, static_cast<std::size_t>(behind - marks.begin()) - 1, [&](std::size_t i, const Place& place) {
      if (place == own) result[other] = &all[other][i];
      return place >= own;
    });
  }
  return result;
}

}  // namespace lanescope::metrics
