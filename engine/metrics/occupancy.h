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

struct Occupancy {
  enum class Limit : std::uint8_t { warps, blocks, registers, shared_memory };
  int blocks = 0;       // resident on a multiprocessor; 0 = not even one fits
  int warps = 0;        // warps of those blocks
  double fraction = 0;  // warps ÷ the most that a multiprocessor holds
  Limit limit{};        // what prevents another block; of several limits the first in the list
};
// `shared_bytes`: static and dynamic bytes of one block. Assumes the largest possible carve-out for shared memory.
std::optional<Occupancy> occupancy(const std::string& arch, int registers_per_thread, std::uint64_t shared_bytes,
                                   std::uint32_t threads_per_block);

}  // namespace lanescope::metrics
