#pragma once
// The number of a kernel's blocks that fit on a multiprocessor at once, and what limits it. Computed from the
// compiler's report, without a GPU.
//
// Limits: core/architecture.h. Allocation: the rules of CUDA's own occupancy calculation. Registers are allocated per
// warp in units of 256, and each quarter of a multiprocessor holds whole warps within a quarter of the registers.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::metrics {

// The maximum per thread on every architecture in that table.
inline constexpr int most_registers_per_thread = 255;
inline constexpr int most_barriers_per_block = 16;

struct Occupancy {
  enum class Limit : std::uint8_t { warps, blocks, registers, shared_memory, barriers };
  int blocks = 0;       // resident on a multiprocessor; 0 = not even one fits
  int warps = 0;        // warps of those blocks
  double fraction = 0;  // warps ÷ the most that a multiprocessor holds
  Limit limit{};        // what prevents another block; of several limits the first in the list
};
// What one block takes of a multiprocessor.
struct BlockNeeds {
  int registers_per_thread = 0;
  std::uint64_t shared_bytes = 0;  // static and dynamic
  std::uint32_t threads = 0;
  int barriers = 0;  // the highest number of a barrier that it uses, plus 1
};
// nullopt: the architecture is unknown, or there are no threads. Assumes the largest possible carve-out for shared
// memory.
std::optional<Occupancy> occupancy(const std::string& arch, const BlockNeeds& block);

}  // namespace lanescope::metrics
