#pragma once
// What many consecutive steps of one warp have in common, at every scale: so that a film of ten million steps is drawn,
// and searched, without looking at each of them. About 2.7 bytes per step; a step is an index into Trace::warp().

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// Of steps first to last. A branch keeps all its active lanes busy, whichever way they go.
struct StepSummary {
  std::uint64_t sites = 0;                             // bit `site % 64` of each step
  LaneMask active_any;                                 // lanes that are active in some step
  LaneMask busy_any;                                   // lanes that execute in some step
  LaneMask busy_all;                                   // lanes that execute in every step
  std::uint16_t sectors = 0;                           // of the costliest request: sectors beyond its ideal
  std::uint16_t conflicts = 0;                         // the same of bank conflicts
  std::uint8_t kinds = 0;                              // bit `EventKind` of each step
  std::uint8_t fewest = MemoryModel::lanes, most = 0;  // busy lanes
  bool divergent = false;                              // a branch on which active lanes disagree
  std::uint8_t group = 0;                              // of every step; `mixed` where they are of several
  static constexpr std::uint8_t mixed = 0xff;
  bool has(trace::EventKind kind) const { return (kinds >> static_cast<int>(kind) & 1) != 0; }
  // What its costliest request pays beyond the ideal: sectors, or passes of shared memory.
  std::uint32_t worst() const { return sectors > conflicts ? sectors : conflicts; }
};
static_assert(sizeof(StepSummary) == 32);

bool is_divergent(const trace::WarpEvent& event);
// Sectors (global, local) or wavefronts (shared) that a request costs beyond its ideal; 0 of anything else.
std::uint32_t excess(const trace::Trace& trace, const trace::WarpEvent& event);

class StepPyramid {
 public:
  // `trace` outlives this. `group_of_site`: a number below 255 for each site, such as that of a phase; 0 = that of the
  // step before. Empty: no groups.
  StepPyramid(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
              std::vector<std::uint8_t> group_of_site = {});

  // Summarises `steps` more of them; false when all are done, and only then may the rest be asked.
  bool extend(std::size_t steps);

  std::size_t size() const { return events_.size(); }
  std::span<const trace::WarpEvent> events() const { return events_; }
  std::size_t short_steps() const { return short_steps_; }  // on which not every lane that the warp has is busy
  // Of steps first ≤ i < last; first < last ≤ size(). Few operations where both are multiples of grain(last - first).
  StepSummary of(std::size_t first, std::size_t last) const;
  // The greatest number of steps, at most `steps`, that summaries are kept of; 1 where they are of none.
  static std::size_t grain(std::size_t steps);
  std::uint8_t group(std::size_t step) const;
  // Lanes that are active in a step after this one.
  LaneMask active_after(std::size_t step) const;

  using MayHave = std::function<bool(const StepSummary&)>;
  using Is = std::function<bool(const trace::WarpEvent&)>;
  // The first step from `first` on, or the last before `end`, that is looked for. `may_have` of many steps is true
  // where one of them is.
  std::optional<std::size_t> next(std::size_t first, const MayHave& may_have, const Is& is) const;
  std::optional<std::size_t> previous(std::size_t end, const MayHave& may_have, const Is& is) const;
  // From the costliest request to the least costly, equal ones in their order: what follows a step, or precedes it.
  // A step that costs nothing beyond the ideal stands before all and behind all.
  std::optional<std::size_t> next_worst(std::size_t step) const;
  std::optional<std::size_t> previous_worst(std::size_t step) const;

  std::size_t bytes() const;  // of memory

 private:
  static constexpr std::size_t leaf = 16, fan = 4;
  struct Level {
    std::size_t steps = leaf;  // of each summary
    std::vector<StepSummary> summaries;
  };
  StepSummary of_step(std::size_t step) const;
  void carry_up();
  const Level* without(std::size_t step, const MayHave& may_have) const;
  std::optional<std::size_t> equally_bad(std::uint32_t cost, std::size_t from, bool forwards) const;

  const trace::Trace& trace_;
  std::span<const trace::WarpEvent> events_;
  std::vector<std::uint8_t> group_of_site_;
  LaneMask there_;
  std::vector<Level> levels_;
  std::vector<std::uint8_t> groups_at_;  // the group that each leaf begins in
  std::size_t done_ = 0, short_steps_ = 0;
  std::uint8_t current_ = 0;
  std::array<std::uint8_t, 256> costs_{};  // which costs beyond the ideal occur
};

}  // namespace lanescope::metrics
