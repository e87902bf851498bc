#pragma once
// What a block has done up to the end of each pass of one of its warps: an answer takes a few thousand events, whatever
// the length of the warps.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gui/compare/compare_model.h"
#include "metrics/recompute.h"

namespace lanescope::gui {

class BlockSums {
 public:
  BlockSums() = default;
  // `of_warps`: the passes of each warp of the block. Once `stop` says so, it is left unfinished.
  BlockSums(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
            const std::vector<std::vector<PhasePass>>& of_warps, const std::function<bool()>& stop = {});
  struct Sum {
    std::size_t passes = 0;           // of `warp` that are counted
    std::vector<std::size_t> events;  // of each warp that are counted
    metrics::RunningTotals totals;
  };
  // Up to and including a pass of `warp`, of the same trace: every warp counts up to the end of the last pass that it
  // shares with the first `pass` + 1. `last`: an earlier answer of the same sums, to go on from, which this one
  // replaces.
  trace::Totals up_to(const trace::Trace& trace, std::size_t pass, Sum& last) const;
  trace::Totals up_to(const trace::Trace& trace, std::size_t pass) const;

 private:
  using Warps = std::vector<std::span<const trace::WarpEvent>>;
  Warps warps_of(const trace::Trace& trace) const;
  std::size_t add_pass(const trace::Trace& trace, const Warps& warps, Sum& sum) const;  // how many events it adds

  std::uint32_t block_ = 0;
  std::vector<std::uint32_t> names_;  // of each pass of `warp`
  std::vector<std::uint32_t> numbers_;
  // By warp and name: the number of events up to the end of the passes 1, 2, … of that name.
  std::vector<std::vector<std::vector<std::size_t>>> ends_;
  std::vector<Sum> sums_;  // ascending, some thousand events apart
};

}  // namespace lanescope::gui
