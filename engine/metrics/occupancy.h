#pragma once
// How many blocks of a kernel fit on a multiprocessor at once, and what stops more: worked out from what the compiler
// reports, without a GPU.
//
// Limits: CUDA C++ Programming Guide, "Compute Capabilities", table of technical specifications. Allocation: the rules of
// CUDA's own occupancy calculation: registers are given to a warp in units of 256, each quarter of a multiprocessor holds
// whole warps of a quarter of its registers; a block takes shared memory in units of 128 bytes (256 before sm_80), and
// from sm_80 on one KiB more for the system.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::metrics {

struct MultiprocessorLimits {
  int warps = 0, blocks = 0, registers = 0;
  std::uint64_t shared_bytes = 0, reserved_shared_bytes = 0, shared_unit = 0;
};
// Of a thread, on every architecture of that table: no kernel takes more.
inline constexpr int most_registers_per_thread = 255;

// Of a real architecture ("sm_90", "sm_90a"); nullopt for one that the table does not have.
std::optional<MultiprocessorLimits> limits_of(const std::string& arch);

struct Occupancy {
  enum class Limit : std::uint8_t { warps, blocks, registers, shared_memory };
  int blocks = 0;       // resident on a multiprocessor; 0 = does not fit at all
  int warps = 0;        // of them
  double fraction = 0;  // warps ÷ the most a multiprocessor holds
  Limit limit{};        // what stops one block more; of several the first of the list
};
// `shared_bytes`: static and dynamic, of one block. Assumes that the largest part of the cache is given to shared memory.
std::optional<Occupancy> occupancy(const std::string& arch, int registers_per_thread,
                                   std::uint64_t shared_bytes, std::uint32_t threads_per_block);

}  // namespace lanescope::metrics
