#pragma once
// Registers of a warp's lanes, and exchanges among lanes that have arrived: shuffles and reductions of two values.
// Source: "PTX ISA", shfl.sync and redux.sync. A slot is the place of a register in the register file: 32 words for the
// lanes of a 32-bit register, or one word of bits for a predicate.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/lane_mask.h"
#include "ptx/instruction.h"

namespace lanescope::sim {

using Values32 = std::array<std::uint32_t, 32>;

inline Values32 read32(const std::byte* file, std::uint32_t slot) {
  Values32 values;
  std::memcpy(values.data(), file + slot, sizeof values);
  return values;
}
inline void write32(std::byte* file, std::uint32_t slot, const Values32& values, std::uint32_t lanes) {
  if (LaneMask{lanes}.full()) {
    std::memcpy(file + slot, values.data(), sizeof values);
    return;
  }
  LaneMask{lanes}.for_each([&](int lane) {
    std::memcpy(file + slot + static_cast<std::uint32_t>(lane) * 4, &values[static_cast<std::size_t>(lane)], 4);
  });
}
inline std::uint32_t read_predicate(const std::byte* file, std::uint32_t slot) {
  std::uint32_t mask;
  std::memcpy(&mask, file + slot, 4);
  return mask;
}
inline void write_predicate(std::byte* file, std::uint32_t slot, std::uint32_t value, std::uint32_t lanes) {
  if (slot == 0) return;
  const std::uint32_t mask = (read_predicate(file, slot) & ~lanes) | (value & lanes);
  std::memcpy(file + slot, &mask, 4);
}
inline std::uint32_t lane_value(const std::byte* file, std::uint32_t slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, file + slot + static_cast<std::uint32_t>(lane) * 4, 4);
  return value;
}

// Whether all of these lanes have this value in the register.
bool is_in_all(const std::byte* file, std::uint32_t slot, std::uint32_t lanes, std::uint32_t value);

// The lane that `lane` reads, or −1 if it is out of range. Then `lane` keeps its own value.
int source_lane(ptx::ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c);

// The slots of a shuffle.
struct ShuffleSlots {
  std::uint32_t dst, in_range;  // in_range: the predicate; 0 = none
  std::uint32_t a, b, c;
};
// A shuffle among the lanes of one path. Returns false and writes nothing if a source lane is not on this path.
bool shuffle_among(ptx::ShuffleMode mode, const ShuffleSlots& slots, std::byte* file, std::uint32_t lanes);

// redux.sync of two lanes' values. `nan`: the result is NaN if one of them is.
std::uint32_t reduce_pair(ptx::AtomicOp op, ptx::Type type, bool nan, std::uint32_t a, std::uint32_t b);

}  // namespace lanescope::sim
