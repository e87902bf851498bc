#pragma once
// The cost of one warp-level memory request: pure arithmetic on its addresses. The interpreter uses it for totals,
// metrics for single events, and the diagrams. Definitions: docs/glossary.md.
//
// Sources: CUDA C++ Programming Guide (32-byte sectors, 32 banks of 4 bytes); the phases of wide shared accesses (8
// bytes: half-warps, 16 bytes: quarter-warps, and where they join) were checked against the counters of an H200.

#include <array>
#include <cstdint>

#include "core/lane_mask.h"
#include "trace/trace.h"

namespace lanescope::metrics {

struct RequestCost {
  std::uint32_t sectors = 0;           // distinct 32-byte sectors that the executing lanes request
  std::uint32_t ideal_sectors = 0;     // ⌈distinct bytes requested ÷ 32⌉
  std::uint32_t wavefronts = 0;        // Σ over phases of the bank degree
  std::uint32_t ideal_wavefronts = 0;  // phases with an executing lane: 1, 2 or 4 at most
  std::uint32_t bytes_requested = 0;   // distinct bytes requested
  std::uint32_t serial_depth = 0;      // most lanes on one address (a cost only for atomics)
  std::uint32_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  std::uint32_t bytes_moved() const { return sectors * MemoryModel::sector_bytes; }
  friend bool operator==(const RequestCost&, const RequestCost&) = default;
};

// The lanes that shared memory serves together in one phase.
enum class Phases : std::uint8_t {
  // All 32 lanes for up to 4 bytes per lane, 16 for up to 8, 8 for up to 16: stores, generic loads, ldmatrix, atomics
  // of trace::Turns::words.
  fixed,
  // `ld.shared` of more than 4 bytes per lane: two neighbouring phases are one if every two executing lanes whose
  // numbers differ in bit 0 have the same address, or every two that differ in bit 1. (On an H200, wavefronts and
  // conflicts of 392 requests with such and other addresses, full and partial warps, were those of this rule, and the
  // cycles of 632.)
  joined,
  // The same phases as `fixed`, but a bank serves each lane by itself, also lanes with the same word: atomics of
  // trace::Turns::lanes. (On an H200, the conflicts of 816 requests were those of this rule.)
  each_lane,
  // trace::Turns::lanes_of_part: as each_lane, unless all 32 lanes execute.
  each_lane_of_part,
};
// Whether a bank serves each of these executing lanes by itself.
constexpr bool serves_each_lane(Phases phases, LaneMask executed) {
  return phases == Phases::each_lane || (phases == Phases::each_lane_of_part && !executed.full());
}
Phases phases_of(const trace::Site& site);

// `addresses` is indexed by lane; only executing lanes are read. `width`: bytes per lane, 1 to 16 (sectors: 1 to 32).
// Without an executing lane all costs are 0. The caller checks alignment to `width`; unaligned addresses are counted
// correctly, and addresses wrap around at 2⁶⁴. sector_cost leaves the wavefronts 0, bank_cost the sectors. Both set
// bytes_requested and serial_depth.
RequestCost sector_cost(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);
RequestCost bank_cost(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width, Phases phases);

// The same for lane → first + stride × (lane − lowest executing lane). Gives the same results as the general functions.
// Takes constant time if the executing lanes are evenly spaced, else at most one pass over them.
RequestCost sector_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width);
RequestCost bank_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width, Phases phases);

// The most turns of any bank within one phase: its distinct 4-byte words, or the lanes that it serves by themselves. 0
// if no lane executes.
int bank_degree(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width, Phases phases);

// How many phases this access has: 1, 2 or 4, some of them perhaps without an executing lane.
int phase_count(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width, Phases phases);
// The lanes of one of `count` phases.
constexpr LaneMask phase_lanes(int phase, int count) {
  const int lanes = MemoryModel::lanes / count;
  return {LaneMask::first(lanes).bits << (phase * lanes)};
}

// The cost of an access in its memory space: sectors for global and local memory, wavefronts for shared memory, only
// bytes_requested for constant and parameter memory.
RequestCost cost_in(trace::MemorySpace space, const std::array<std::uint64_t, 32>& addresses, LaneMask executed,
                    int width, Phases phases);
RequestCost cost_in_affine(trace::MemorySpace space, std::uint64_t first, std::int32_t stride, LaneMask executed,
                           int width, Phases phases);

// Adds one request to a total; does nothing if no lane executed. serial_depth only counts for atomics and reductions.
inline void add(trace::MemoryTotals& totals, const RequestCost& cost, LaneMask executed, trace::Operation operation) {
  if (executed.empty()) return;
  totals.requests += 1;
  totals.executed_lanes += static_cast<std::uint64_t>(executed.count());
  totals.bytes_requested += cost.bytes_requested;
  totals.sectors += cost.sectors;
  totals.ideal_sectors += cost.ideal_sectors;
  totals.wavefronts += cost.wavefronts;
  totals.ideal_wavefronts += cost.ideal_wavefronts;
  if (trace::is_atomic(operation)) totals.serial_depth += cost.serial_depth;
}

// The cost of an event in its memory space. For an async_copy: the global side (sectors) from the addresses; its shared
// side is another event (see the trace's producer). All zero if the event is not a memory access.
RequestCost cost(const trace::Trace& trace, const trace::WarpEvent& event);

}  // namespace lanescope::metrics
