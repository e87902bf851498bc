#pragma once
// How many blocks of a kernel fit on a multiprocessor at once, and what limits them: computed from the compiler's
// report, without a GPU.
//
// Limits: core/architecture.h. Allocation: the rules of CUDA's own occupancy calculation: registers are given to a warp
// in units of 256, each quarter of a multiprocessor holds whole warps of a quarter of its registers.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::metrics {

// Per thread, on every architecture of that table: no kernel uses more.
inline constexpr int most_registers_per_thread = 255;

struct Occupancy {
  enum class Limit : std::uint8_t { warps, blocks, registers, shared_memory };
  int blocks = 0;       // resident on a multiprocessor; 0 = does not fit at all
  int warps = 0;        // of them
  double fraction = 0;  // warps ÷ the most a multiprocessor holds
  Limit limit{};        // what stops one block more; of several the first of the list
};
// `shared_bytes`: static and dynamic, of one block. Assumes that the largest part of the cache is given to shared
// memory.
std::optional<Occupancy> occupancy(const std::string& arch, int registers_per_thread, std::uint64_t shared_bytes,
                                   std::uint32_t threads_per_block);

}  // namespace lanescope::metrics
