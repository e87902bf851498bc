#pragma once
// For tests of two variants that are stepped together.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gui/compare/comparison.h"
#include "metrics/recompute.h"

namespace lanescope::gui {

// The sums of a block up to a pass of warp 0, event by event, by the definition; those that Compare shows must be
// equal.
inline trace::Totals totals_so_far(const trace::Trace& trace, const std::string& text, std::uint32_t block,
                                   const std::vector<PhasePass>& passes, std::size_t pass) {
  std::set<std::pair<std::string, int>> reached;
  for (std::size_t i = 0; i <= pass && i < passes.size(); ++i) reached.insert({passes[i].name, passes[i].number});
  const auto of_warps = passes_of_block(trace, text, block);
  std::vector<std::uint32_t> end;  // of each warp: the first sequence number that is still to come
  for (std::uint32_t warp = 0; warp < of_warps.size(); ++warp) {
    std::uint32_t limit = 0;
    for (const PhasePass& one : of_warps[warp])
      if (reached.contains({one.name, one.number})) limit = trace.warp(block, warp)[one.last].sequence + 1;
    end.push_back(limit);
  }
  const trace::Totals totals = metrics::recompute_totals(trace, [&](const trace::WarpEvent& event) {
    return event.block == block && event.warp < end.size() && event.sequence < end[event.warp];
  });
  if (of_warps[0] == passes) {
    EXPECT_EQ(BlockSums(trace, block, 0, of_warps).up_to(trace, pass), totals) << pass;
  }
  return totals;
}

// Steps as text, each with the sides that it has: "load1AB".
inline std::vector<std::string> said(const std::vector<JointStep>& steps) {
  std::vector<std::string> all;
  for (const JointStep& s : steps)
    all.push_back(s.name + std::to_string(s.number) + (s.a ? "A" : "") + (s.b ? "B" : ""));
  return all;
}

}  // namespace lanescope::gui
