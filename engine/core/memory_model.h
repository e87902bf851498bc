#pragma once
// The fixed geometry of an NVIDIA GPU's memory system. Source: CUDA C++ Programming Guide, "Device Memory Accesses"
// (32-byte sectors, 128-byte lines) and "Shared Memory" (32 banks of 4 bytes), compute capability 5.x to 10.x.

#include <cstdint>

namespace lanescope {

struct MemoryModel {
  static constexpr int lanes = 32;         // lanes in a warp
  static constexpr int sector_bytes = 32;  // the unit in which global and local memory moves
  static constexpr int line_bytes = 128;   // an L1/L2 line: four sectors
  static constexpr int banks = 32;         // shared-memory banks
  static constexpr int bank_bytes = 4;     // width of a bank: one word
  static constexpr int max_block_threads = 1024;
  static constexpr std::uint32_t max_static_shared_bytes = 48 * 1024;
};

// The index of the 32-byte sector (global, local) that contains `address`.
constexpr std::uint64_t sector_of(std::uint64_t address) {
  return address / MemoryModel::sector_bytes;
}
// The bank (0–31) of a shared-memory address.
constexpr int bank_of(std::uint64_t address) {
  return static_cast<int>(address / MemoryModel::bank_bytes % MemoryModel::banks);
}

// What CUDA gives a kernel, unless the host asks for another size (cudaDeviceSetLimit).
inline constexpr std::uint64_t default_stack_bytes = 1024;                   // per thread
inline constexpr std::uint64_t default_heap_bytes = std::uint64_t{8} << 20;  // of malloc()
inline constexpr std::uint64_t printf_buffer_bytes = std::uint64_t{1} << 20;

}  // namespace lanescope
