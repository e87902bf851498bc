#pragma once
// Summaries of many consecutive steps of a warp at every scale, so that a film of ten million steps can be drawn and
// searched without visiting each step. About 2.7 bytes per step. A step is an index into Trace::warp().

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace lanescope::metrics {

// Summary of several steps. All active lanes execute a branch, whichever way they go.
struct StepSummary {
  std::uint64_t sites = 0;                             // bit `site % 64` of each step
  LaneMask active_any;                                 // lanes that are active in some step
  LaneMask busy_any;                                   // lanes that execute in some step
  LaneMask busy_all;                                   // lanes that execute in every step
  std::uint16_t sectors = 0;                           // of the costliest request: sectors beyond its ideal
  std::uint16_t conflicts = 0;                         // of the costliest request: bank conflicts, lanes that wait
  std::uint8_t kinds = 0;                              // bit `EventKind` of each step
  std::uint8_t fewest = MemoryModel::lanes, most = 0;  // least and most busy lanes in a step
  bool divergent = false;                              // some branch where active lanes disagree
  std::uint8_t group = 0;                              // group of all steps; `mixed` if they have several
  static constexpr std::uint8_t mixed = 0xff;
  bool has(trace::EventKind kind) const { return (kinds >> static_cast<int>(kind) & 1) != 0; }
  // Cost of its costliest request beyond the ideal: sectors, or passes of shared memory or of a global atomic's
  // address.
  std::uint32_t worst() const { return sectors > conflicts ? sectors : conflicts; }
};
static_assert(sizeof(StepSummary) == 32);

bool is_divergent(const trace::WarpEvent& event);
// Wavefronts (shared) or sectors (global, local) of a request beyond its ideal, or, if they are more, the lanes that
// wait for another at the address of an atomic on global memory; 0 for other events.
std::uint32_t excess(const trace::Trace& trace, const trace::WarpEvent& event);

class StepPyramid {
 public:
  // `trace` must outlive this object. `group_of_site`: a number below 255 per site, such as that of a phase; 0 = the
  // group of the step before. Empty: no groups.
  StepPyramid(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
              std::vector<std::uint8_t> group_of_site = {});

  // Summarises `steps` more steps. Returns false when all are done; only then may the other functions be called.
  bool extend(std::size_t steps);

  std::size_t size() const { return events_.size(); }
  std::span<const trace::WarpEvent> events() const { return events_; }
  std::size_t short_steps() const { return short_steps_; }  // steps in which not every lane of the warp is busy
  // Summary of the steps first ≤ i < last; first < last ≤ size(). Fast if both are multiples of grain(last - first).
  StepSummary of(std::size_t first, std::size_t last) const;
  // The largest number of steps per stored summary that is at most `steps`; 1 if no summary is that small.
  static std::size_t grain(std::size_t steps);
  std::uint8_t group(std::size_t step) const;
  // Lanes that are active in a later step.
  LaneMask active_after(std::size_t step) const;

  using MayHave = std::function<bool(const StepSummary&)>;
  using Is = std::function<bool(const trace::WarpEvent&)>;
  // The first matching step from `first` on, or the last one before `end`. `may_have` of a summary must be true if one
  // of its steps matches.
  std::optional<std::size_t> next(std::size_t first, const MayHave& may_have, const Is& is) const;
  std::optional<std::size_t> previous(std::size_t end, const MayHave& may_have, const Is& is) const;
  // The steps in order of decreasing cost, equal ones in program order: the step after or before `step` in this order.
  // From a step without excess cost, they return the first and the last of this order.
  std::optional<std::size_t> next_worst(std::size_t step) const;
  std::optional<std::size_t> previous_worst(std::size_t step) const;

  std::size_t bytes() const;  // bytes of memory that this object uses

 private:
  static constexpr std::size_t leaf = 16, fan = 4;
  struct Level {
    std::size_t steps = leaf;  // steps per summary
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
  std::vector<std::uint8_t> groups_at_;  // the group at the start of each leaf
  std::size_t done_ = 0, short_steps_ = 0;
  std::uint8_t current_ = 0;
  std::array<std::uint8_t, 256> costs_{};  // which excess costs occur
};

}  // namespace lanescope::metrics
