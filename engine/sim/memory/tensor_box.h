#pragma once
// Which bytes of a tensor a copy by tensor map takes, and where each lies in shared memory. "PTX ISA", Tensors; what it
// leaves open is as an H100 does it (tests/cases/tensor_map).

#include <array>
#include <cstdint>
#include <vector>

#include "sim/memory/tensor_map.h"

namespace lanescope::sim {

// Bytes that stay together: a row begins at a multiple of them in both memories, and a store writes whole ones.
inline constexpr std::uint32_t tensor_piece = 16;

// Elements side by side in both memories. Those outside of the tensor are not copied: a load fills them.
struct TensorRow {
  std::uint64_t address = 0;  // of the first byte that lies in the tensor
  std::uint32_t skipped = 0;  // bytes before it
  std::uint32_t bytes = 0;    // that lie in the tensor
};

// Where a copy begins: coordinates, and the offsets of im2col within a pixel's neighbourhood (W, H, D).
struct TensorPlace {
  std::array<std::int32_t, TensorMap::most_dimensions> at{};
  std::array<std::uint16_t, 3> offset{};
};

std::uint32_t row_bytes(const TensorMap& map);
std::uint64_t row_count(const TensorMap& map);
// From a row to the next in shared memory: with a swizzle each has a span of its own.
constexpr std::uint32_t row_pitch(const TensorMap& map, std::uint32_t bytes) {
  return map.swizzle == 0 ? bytes : 16u << map.swizzle;
}
// What a load counts on its mbarrier: elements outside of the tensor included, what lies between rows not.
inline std::uint64_t box_bytes(const TensorMap& map) {
  return row_count(map) * row_bytes(map);
}

// In the order in which they lie in shared memory, from the box's start on.
std::vector<TensorRow> rows_of(const TensorMap& map, const TensorPlace& place);

// Where byte `at` of the unswizzled box lies. Pieces of 16 bytes change places within their span of 128 bytes at most,
// by their address in shared memory.
constexpr std::uint32_t swizzled(const TensorMap& map, std::uint32_t at) {
  const std::uint32_t row = at >> 7 & ((1u << map.swizzle) - 1);
  return at ^ row << 4;
}

// Two bytes of what a load puts in place of elements that lie outside: zeros, or NaNs of every type.
constexpr std::uint16_t filling_of(const TensorMap& map) {
  return map.fills_nan ? 0x7ff7 : 0;
}

// f32 to the nearest tf32, as a load of that type does; a NaN becomes one and the same.
std::uint32_t to_tf32(std::uint32_t bits);

}  // namespace lanescope::sim
