#pragma once
// A decoded access to memory.

#include <array>
#include <cstddef>
#include <cstdint>

#include "ptx/instruction.h"
#include "sim/alu/lanes.h"
#include "trace/trace.h"

namespace lanescope::sim {

inline constexpr std::uint32_t no_site = 0xffffffffu;

// A read-modify-write of `place`; returns what was there.
using AtomicFunction = std::uint64_t (*)(void* place, std::uint64_t b, std::uint64_t c);

inline constexpr std::size_t kept_patterns = 4;  // patterns that a worker keeps (MemoryOp::kept_at)

// A load, store, atomic, reduction, or asynchronous copy. The first cache line has what most accesses need.
struct alignas(64) MemoryOp {
  std::uint32_t site = no_site;
  ptx::Space space = ptx::Space::generic;
  trace::Operation operation = trace::Operation::none;
  std::uint8_t element_bytes = 4;
  std::uint8_t elements = 1;
  std::uint8_t width = 4;  // of all elements together; also the alignment
  bool address64 = true;
  // Accesses of one basic block that use the same address register, with no write to it in between, share a pattern.
  // The first access stores the pattern at this index in the worker; the others shift it by their offset. -1: not
  // shared.
  std::int8_t kept_at = -1;
  bool as_kept = false;        // not the first access that uses the pattern
  bool whole_cluster = false;  // may reach the shared memory of other blocks: generic, or .shared::cluster
  bool polling = false;        // volatile or ordered: the warp may be waiting for another thread here
  bool simple = false;         // a load or store of one element, not polling
  std::uint32_t address = 0;   // slot
  std::uint64_t offset = 0;
  Load load = nullptr;
  Store store = nullptr;
  MoveRange move_range = nullptr;        // only for simple accesses to global or shared memory
  std::array<std::uint32_t, 8> value{};  // slots of the elements: loaded into, or stored from
  std::uint8_t register_bytes = 4;       // bytes per lane in the value slots
  // Atomics: value[] receives the old values (0: not wanted); b[] and c[] are the operands.
  std::array<std::uint32_t, 8> b{}, c{};
  AtomicFunction apply = nullptr;         // in shared memory
  AtomicFunction apply_global = nullptr;  // in global memory, where f32 add flushes subnormals
  std::uint8_t operand_bytes = 4;         // bytes per lane in the value, b and c slots
  // Asynchronous copies: from global [source + source_offset] to shared [address + offset].
  std::uint32_t source = 0;
  std::uint64_t source_offset = 0;
  bool source64 = true;
  std::uint32_t source_bytes = 0;   // slot of the number of bytes to read, the rest is zeroed; 0 = all
  std::uint32_t ignore_source = 0;  // predicate slot: true = write zeros; 0 = none
};

}  // namespace lanescope::sim
