#pragma once
// What one warp-level memory request costs: pure arithmetic on its addresses, used by the interpreter for
// totals, by metrics for single events, and by the diagrams. Definitions: docs/glossary.md.
//
// Sources: CUDA C++ Programming Guide (32-byte sectors, 32 banks of 4 bytes); the phases of wide shared
// accesses (8 bytes: half-warps, 16 bytes: quarter-warps) were checked against the counters of an H200.

#include <array>
#include <cstdint>

#include "core/lane_mask.h"
#include "trace/trace.h"

namespace lanescope::metrics {

struct RequestCost {
  std::uint32_t sectors = 0;          // distinct 32-byte sectors over all bytes of all executed lanes
  std::uint32_t ideal_sectors = 0;    // ⌈distinct bytes asked ÷ 32⌉
  std::uint32_t wavefronts = 0;       // Σ over phases of the bank degree
  std::uint32_t ideal_wavefronts = 0; // phases that have an executed lane: 1, 2 or 4 at most
  std::uint32_t bytes_requested = 0;  // distinct bytes asked
  std::uint32_t serial_depth = 0;     // most lanes on one address (atomics)
  std::uint32_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  std::uint32_t bytes_moved() const { return sectors * MemoryModel::sector_bytes; }
  friend bool operator==(const RequestCost&, const RequestCost&) = default;
};

// `addresses` is indexed by lane; only executed lanes are read. `width`: bytes a lane, 1 to 16.
// No executed lane = no cost (all zero). Alignment to `width` is the caller's business; unaligned addresses count correctly.
RequestCost sector_cost(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);
RequestCost bank_cost(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);

// The same for lane → first + stride × (lane − lowest executed lane), in constant or near-constant time where
// the pattern allows. Equal to the general functions on every input.
RequestCost sector_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width);
RequestCost bank_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width);

// Most distinct 4-byte words in any one bank within one phase; 0 when no lane executes.
int bank_degree(const std::array<std::uint64_t, 32>& addresses, LaneMask executed, int width);

// Cost of an event of a trace, in the space it fell in. async_copy: the global side (sectors) from the addresses;
// its shared side is a pair of events (see trace producer).
RequestCost cost(const trace::Trace& trace, const trace::WarpEvent& event);

}  // namespace lanescope::metrics
