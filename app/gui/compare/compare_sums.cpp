#include "gui/compare/compare_sums.h"

#include <algorithm>

namespace lanescope::gui {
namespace {

constexpr std::size_t events_apart = 4096;

}  // namespace

BlockSums::BlockSums(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                     const std::vector<std::vector<PhasePass>>& of_warps, const std::function<bool()>& stop)
    : block_(block) {
  std::map<std::string, std::uint32_t> known;
  for (const PhasePass& pass : of_warps[warp]) {
    names_.push_back(known.emplace(pass.name, static_cast<std::uint32_t>(known.size())).first->second);
    numbers_.push_back(static_cast<std::uint32_t>(pass.number));
  }
  for (std::uint32_t other = 0; other < of_warps.size(); ++other) {
    const auto events = trace.warp(block, other);
    std::vector<std::vector<std::size_t>>& ends = ends_.emplace_back(known.size());
    for (const PhasePass& pass : of_warps[other]) {
      const auto name = known.find(pass.name);
      if (name == known.end()) continue;
      // Both sides of an asynchronous copy are one step.
      std::size_t end = pass.last + 1;
      while (end < events.size() && events[end].sequence == events[pass.last].sequence) ++end;
      ends[name->second].push_back(end);
    }
  }
  Sum sum{0, std::vector<std::size_t>(of_warps.size()), {}};
  sums_.push_back(sum);
  const Warps warps = warps_of(trace);
  std::size_t since = 0;
  while (sum.passes < names_.size() && !(stop && stop())) {
    since += add_pass(trace, warps, sum);
    if (since < events_apart) continue;
    sums_.push_back(sum);
    since = 0;
  }
}

BlockSums::Warps BlockSums::warps_of(const trace::Trace& trace) const {
  Warps warps;
  for (std::uint32_t warp = 0; warp < ends_.size(); ++warp) warps.push_back(trace.warp(block_, warp));
  return warps;
}

std::size_t BlockSums::add_pass(const trace::Trace& trace, const Warps& warps, Sum& sum) const {
  const std::uint32_t name = names_[sum.passes], number = numbers_[sum.passes];
  std::size_t added = 0;
  for (std::size_t warp = 0; warp < warps.size(); ++warp) {
    const std::vector<std::size_t>& ends = ends_[warp][name];
    if (number > ends.size()) continue;
    std::size_t& counted = sum.events[warp];
    for (; counted < ends[number - 1]; ++counted, ++added) sum.totals.add(trace, warps[warp][counted]);
  }
  ++sum.passes;
  return added;
}

trace::Totals BlockSums::up_to(const trace::Trace& trace, std::size_t pass, Sum& last) const {
  const Sum& stored = *(std::ranges::upper_bound(sums_, pass + 1, {}, &Sum::passes) - 1);
  if (last.events.empty() || last.passes > pass + 1 || last.passes < stored.passes) last = stored;
  const Warps warps = warps_of(trace);
  while (last.passes < std::min(pass + 1, names_.size())) (void)add_pass(trace, warps, last);
  return last.totals.so_far(trace);
}

trace::Totals BlockSums::up_to(const trace::Trace& trace, std::size_t pass) const {
  Sum none;
  return up_to(trace, pass, none);
}

}  // namespace lanescope::gui
