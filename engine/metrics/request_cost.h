#pragma once
// The cost of one warp-level memory request: pure arithmetic on its addresses, used by the interpreter for totals, by
// metrics for single events, and by the diagrams. Definitions: docs/glossary.md.
//
// Sources: CUDA C++ Programming Guide (32-byte sectors, 32 banks of 4 bytes); the phases of wide shared accesses (8
// bytes: half-warps, 16 bytes: quarter-warps) were checked against the counters of an H200.

#include <array>
#include <cstdint>

#include "core/lane_mask.h"
#include "trace/trace.h"

namespace lanescope::metrics {

struct RequestCost {
  std::uint32_t sectors = 0;           // distinct 32-byte sectors over all bytes of all executed lanes
  std::uint32_t ideal_sectors = 0;     // ⌈distinct bytes asked ÷ 32⌉
  std::uint32_t wavefronts = 0;        // Σ over phases of the bank degree
  std::uint32_t ideal_wavefronts = 0;  // phases that have an executed lane: 1, 2 or 4 at most
  std::uint32_t bytes_requested = 0;   // distinct bytes asked
  std::uint32_t serial_depth = 0;      // most lanes on one address (a price only for atomics)
  std::uint32_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  std::uint32_t bytes_moved() const { return sectors * MemoryModel::sector_bytes; }
  friend bool operator==(const RequestCost&, const RequestCost&) = default;
};

// `addresses` is indexed by lane; only executed lanes are read. `width`: bytes per lane, 1 to 16 (sectors: 1 to 32). No
// executed lane = no cost (all zero). Alignment to `width` is the caller's business; unaligned addresses count
// correctly, and addresses wrap around at 2⁶⁴. sector_cost leaves the wavefronts 0, bank_cost the sectors; both give
// bytes_requested and serial_depth.
RequestCost sector_cost(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);
RequestCost bank_cost(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);

// The same for lane → first + stride × (lane − lowest executed lane). Equal to the general functions on every input.
// Constant time when the executed lanes are evenly spaced; else at most one pass over them.
RequestCost sector_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width);
RequestCost bank_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width);

// Most distinct 4-byte words in any one bank within one phase; 0 when no lane executes.
int bank_degree(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);

// The lanes that one pass of the shared-memory pipe serves together: 1 phase of 32 lanes up to 4 bytes per lane, 2 of
// 16 up to 8, 4 of 8 up to 16.
constexpr int phases_of(int width) {
  return width <= 4 ? 1 : width <= 8 ? 2 : 4;
}
constexpr LaneMask phase_lanes(int phase, int width) {
  const int lanes = MemoryModel::lanes / phases_of(width);
  return {LaneMask::first(lanes).bits << (phase * lanes)};
}

// Cost of an access in the space it fell in: global and local in sectors, shared in wavefronts; constant and param have
// bytes_requested only.
RequestCost cost_in(trace::MemorySpace space, const std::array<std::uint64_t, 32>& addresses, LaneMask executed,
                    int width);
RequestCost cost_in_affine(trace::MemorySpace space, std::uint64_t first, std::int32_t stride, LaneMask executed,
                           int width);

// Adds one request to a total; nothing when no lane executed. serial_depth counts for atomics and reductions only.
inline void add(trace::MemoryTotals& totals, const RequestCost& cost, LaneMask executed, trace::Operation operation) {
  if (executed.empty()) return;
  totals.requests += 1;
  totals.executed_lanes += static_cast<std::uint64_t>(executed.count());
  totals.bytes_requested += cost.bytes_requested;
  totals.sectors += cost.sectors;
  totals.ideal_sectors += cost.ideal_sectors;
  totals.wavefronts += cost.wavefronts;
  totals.ideal_wavefronts += cost.ideal_wavefronts;
  if (operation == trace::Operation::atomic || operation == trace::Operation::reduction)
    totals.serial_depth += cost.serial_depth;
}

// Cost of an event of a trace, in the space it fell in. async_copy: the global side (sectors) from the addresses; its
// shared side is a pair of events (see trace producer). All zero when the event is no memory access.
RequestCost cost(const trace::Trace& trace, const trace::WarpEvent& event);

}  // namespace lanescope::metrics
