#pragma once
// Which bytes of a tensor a copy by tensor map accesses, and where each is in shared memory. Source: "PTX ISA",
// Tensors; where it leaves something open, the behaviour of an H100 (tests/cases/tensor_map).

#include <array>
#include <cstdint>
#include <vector>

#include "sim/memory/tensor_map.h"

namespace lanescope::sim {

// Bytes that stay together. A row begins at a multiple of this in both memories, and a store writes whole pieces.
inline constexpr std::uint32_t tensor_piece = 16;

// Elements that are adjacent in both memories. Elements outside the tensor are not copied; a load fills them.
struct TensorRow {
  std::uint64_t address = 0;  // of the first byte inside the tensor
  std::uint32_t skipped = 0;  // bytes before it
  std::uint32_t bytes = 0;    // inside the tensor
};

// The start of a copy: coordinates, and for im2col the offsets within a pixel's neighbourhood (W, H, D).
struct TensorPlace {
  std::array<std::int32_t, TensorMap::most_dimensions> at{};
  std::array<std::uint16_t, 3> offset{};
};

// Bytes of one step along dimension 0. In an interleaved layout, NC/8DHWC8 or NC/16DHWC16, dimension 0 counts pixels,
// each with 16 or 32 bytes of channels, and the last dimension but one counts slices of channels. A box has one slice,
// whatever its size there.
constexpr std::uint32_t innermost_bytes(const TensorMap& map) {
  return map.interleave == 0 ? bytes_of(map.type) : 8u << map.interleave;
}

// What a map with an interleaved layout has that is not known: the copies that an H100 was asked for
// (tests/cases/tensor_map/interleaved.txt, tests/exec/interleaved_maps.cu) do not decide it.
enum class UnknownInterleaving : std::uint8_t { none, pixels_of_images, step_of_slices };
UnknownInterleaving unknown_in(const TensorMap& map);

std::uint32_t row_bytes(const TensorMap& map);
std::uint64_t row_count(const TensorMap& map);
// Distance between rows in shared memory. With a swizzle each row has a span of its own, unless it is interleaved.
constexpr std::uint32_t row_pitch(const TensorMap& map, std::uint32_t bytes) {
  return map.swizzle == 0 || map.interleave != 0 ? bytes : 16u << map.swizzle;
}
// The bytes that a load counts on its mbarrier. Includes elements outside the tensor, but not the gaps between rows.
inline std::uint64_t box_bytes(const TensorMap& map) {
  return row_count(map) * row_bytes(map);
}

// In the order in which they are in shared memory, starting at the box's beginning.
std::vector<TensorRow> rows_of(const TensorMap& map, const TensorPlace& place);

// The position of byte `at` of the unswizzled box. Pieces of 16 bytes change places within a span of at most 128 bytes,
// depending on their address in shared memory.
constexpr std::uint32_t swizzled(const TensorMap& map, std::uint32_t at) {
  const std::uint32_t row = at >> 7 & ((1u << map.swizzle) - 1);
  return at ^ row << 4;
}

// Two bytes of the value that a load gives elements outside the tensor: zero, or a NaN for every type.
constexpr std::uint16_t filling_of(const TensorMap& map) {
  return map.fills_nan ? 0x7ff7 : 0;
}

// f32 rounded to the nearest tf32, as in a load of that type. All NaNs become the same one.
std::uint32_t to_tf32(std::uint32_t bits);

}  // namespace lanescope::sim
