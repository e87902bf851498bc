#include "sim/memory/tensor_map.h"

#include <algorithm>
#include <iterator>

namespace lanescope::sim {

namespace {

// Bits [first, first + bits) of the 1024 bits.
constexpr std::uint64_t field(const TensorMapBytes& bytes, std::uint32_t first, std::uint32_t bits) {
  return bytes[first / 64] >> first % 64 & ((std::uint64_t{1} << bits) - 1);
}
constexpr void set_field(TensorMapBytes& bytes, std::uint32_t first, std::uint32_t bits, std::uint64_t value) {
  bytes[first / 64] |= (value & ((std::uint64_t{1} << bits) - 1)) << first % 64;
}

// The driver's layout. A number that is never 0 is stored minus 1; strides are in units of 16 bytes.
constexpr std::uint32_t im2col_at = 64, rank_at = 68, type_at = 71, interleave_at = 75, swizzle_at = 77, fill_at = 79,
                        tf32_at = 80, promotion_at = 81;
constexpr std::uint32_t stride_at(std::size_t dimension) {  // 32 bits, from dimension 1 on
  return 64 + 32 * static_cast<std::uint32_t>(dimension);
}
constexpr std::uint32_t stride_top_at(std::size_t dimension) {  // the 4 bits above
  return 220 + 4 * static_cast<std::uint32_t>(dimension);
}
constexpr std::uint32_t dim_at(std::size_t dimension) {  // 32 bits
  return 256 + 32 * static_cast<std::uint32_t>(dimension);
}
constexpr std::uint32_t step_at(std::size_t dimension) {  // 3 bits
  return 416 + 3 * static_cast<std::uint32_t>(dimension);
}
constexpr std::uint32_t inner_box_at = 440;              // 8 bits; for im2col: the number of channels
constexpr std::uint32_t box_at(std::size_t dimension) {  // 8 bits, from dimension 1 on
  return 440 + 8 * static_cast<std::uint32_t>(dimension);
}
constexpr std::uint32_t lower_at = 448, upper_at = 464, pixels_at = 480;  // im2col; 16, 16 and 10 bits
constexpr std::uint32_t box_bytes_at = 512, period_at = 576;              // box, swizzle; no copy depends on them

// Indexed by TensorType. tf32 has the code of f32 and a bit of its own.
constexpr std::array<std::uint8_t, tensor_types> type_codes{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 7, 8};

// The width of a corner's coordinate.
constexpr std::uint32_t corner_bits(std::uint32_t rank) {
  return rank == 3 ? 16 : rank == 4 ? 8 : 5;
}

std::optional<TensorType> type_of(std::uint64_t code, bool tf32) {
  const auto first = tf32 ? type_codes.begin() + static_cast<int>(TensorType::tf32) : type_codes.begin();
  const auto found = std::find(first, type_codes.end(), code);
  if (found == type_codes.end()) return std::nullopt;
  return static_cast<TensorType>(found - type_codes.begin());
}

bool is_allowed_along(const TensorMap& map, std::size_t dimension, std::uint32_t grain) {
  constexpr std::uint64_t most_elements = std::uint64_t{1} << 32;
  constexpr std::uint64_t stride_end = std::uint64_t{1} << 40;  // bytes
  if (map.dim[dimension] == 0 || map.dim[dimension] > most_elements) return false;
  if (map.step[dimension] == 0 || map.step[dimension] > 8) return false;
  if (dimension > 0 && (map.stride[dimension] % grain != 0 || map.stride[dimension] >= stride_end)) return false;
  return map.im2col || (map.box[dimension] != 0 && map.box[dimension] <= 256);
}

// Whether the corners are valid: the box has at least one pixel.
bool has_corners(const TensorMap& map) {
  const std::int32_t end = 1 << (corner_bits(map.rank) - 1);
  for (std::size_t d = 0; d + 2 < map.rank; ++d) {
    if (map.lower[d] < -end || map.lower[d] >= end || map.upper[d] < -end || map.upper[d] >= end) return false;
    if (static_cast<std::int64_t>(map.dim[d + 1]) + map.upper[d] <= map.lower[d]) return false;
  }
  return true;
}

// As the driver computes them: without the last, incomplete step, although a copy includes it.
std::uint64_t bytes_of_box(const TensorMap& map) {
  std::uint64_t bytes = bytes_of(map.type);
  if (map.im2col) return bytes * map.channels * map.pixels;
  for (std::size_t d = 0; d < map.rank; ++d) bytes *= map.box[d] / map.step[d];
  return bytes;
}

}  // namespace

TensorMapBytes encode(const TensorMap& map) {
  TensorMapBytes bytes{map.address};
  set_field(bytes, im2col_at, 1, map.im2col);
  set_field(bytes, rank_at, 3, map.rank - 1);
  set_field(bytes, type_at, 4, type_codes[static_cast<std::size_t>(map.type)]);
  set_field(bytes, interleave_at, 2, map.interleave);
  set_field(bytes, swizzle_at, 2, map.swizzle);
  set_field(bytes, fill_at, 1, map.fills_nan);
  set_field(bytes, tf32_at, 1, map.type == TensorType::tf32 || map.type == TensorType::tf32_ftz);
  set_field(bytes, promotion_at, 2, map.l2_promotion);
  for (std::size_t d = 0; d < map.rank; ++d) {
    set_field(bytes, dim_at(d), 32, map.dim[d] - 1);
    set_field(bytes, step_at(d), 3, map.step[d] - 1);
    if (d == 0) continue;
    set_field(bytes, stride_at(d), 32, map.stride[d] >> 4);
    set_field(bytes, stride_top_at(d), 4, map.stride[d] >> 36);
    if (!map.im2col) set_field(bytes, box_at(d), 8, map.box[d] - 1);
  }
  set_field(bytes, inner_box_at, 8, (map.im2col ? map.channels : map.box[0]) - 1);
  if (map.im2col) {
    const std::uint32_t bits = corner_bits(map.rank);
    for (std::uint32_t d = 0; d + 2 < map.rank; ++d) {
      set_field(bytes, lower_at + d * bits, bits, static_cast<std::uint64_t>(map.lower[d]));
      set_field(bytes, upper_at + d * bits, bits, static_cast<std::uint64_t>(map.upper[d]));
    }
    set_field(bytes, pixels_at, 10, map.pixels - 1);
  }
  set_field(bytes, box_bytes_at, 32, bytes_of_box(map));
  set_field(bytes, period_at, 32, map.swizzle == 0 ? 16 : 128u << map.swizzle);
  return bytes;
}

std::optional<TensorMap> decode_tensor_map(const TensorMapBytes& bytes) {
  TensorMap map;
  map.address = bytes[0];
  map.im2col = field(bytes, im2col_at, 1) != 0;
  map.rank = static_cast<std::uint32_t>(field(bytes, rank_at, 3)) + 1;
  const auto type = type_of(field(bytes, type_at, 4), field(bytes, tf32_at, 1) != 0);
  if (!type || map.rank > TensorMap::most_dimensions || (map.im2col && map.rank < 3)) return std::nullopt;
  map.type = *type;
  map.interleave = static_cast<std::uint8_t>(field(bytes, interleave_at, 2));
  map.swizzle = static_cast<std::uint8_t>(field(bytes, swizzle_at, 2));
  map.fills_nan = field(bytes, fill_at, 1) != 0;
  map.l2_promotion = static_cast<std::uint8_t>(field(bytes, promotion_at, 2));
  for (std::size_t d = 0; d < map.rank; ++d) {
    map.dim[d] = field(bytes, dim_at(d), 32) + 1;
    map.step[d] = static_cast<std::uint32_t>(field(bytes, step_at(d), 3)) + 1;
    if (d == 0) continue;
    map.stride[d] = field(bytes, stride_at(d), 32) << 4 | field(bytes, stride_top_at(d), 4) << 36;
    if (!map.im2col) map.box[d] = static_cast<std::uint32_t>(field(bytes, box_at(d), 8)) + 1;
  }
  const auto inner = static_cast<std::uint32_t>(field(bytes, inner_box_at, 8)) + 1;
  (map.im2col ? map.channels : map.box[0]) = inner;
  if (map.im2col) {
    const std::uint32_t bits = corner_bits(map.rank);
    const auto corner = [&](std::uint32_t at) {
      return static_cast<std::int32_t>(field(bytes, at, bits) << (32 - bits)) >> (32 - bits);
    };
    for (std::uint32_t d = 0; d + 2 < map.rank; ++d) {
      map.lower[d] = corner(lower_at + d * bits);
      map.upper[d] = corner(upper_at + d * bits);
    }
    map.pixels = static_cast<std::uint32_t>(field(bytes, pixels_at, 10)) + 1;
  }
  return is_allowed(map) ? std::optional(map) : std::nullopt;
}

void replace_field(TensorMapBytes& bytes, TensorField field, std::uint32_t ordinal, std::uint64_t value) {
  const auto put = [&](std::uint32_t first, std::uint32_t bits, std::uint64_t fresh) {
    bytes[first / 64] &= ~(((std::uint64_t{1} << bits) - 1) << first % 64);
    set_field(bytes, first, bits, fresh);
  };
  switch (field) {
    case TensorField::address:
      bytes[0] = value;
      return;
    case TensorField::rank:
      return put(rank_at, 3, value);
    case TensorField::stride:
      put(stride_at(ordinal + 1), 32, value >> 4);
      return put(stride_top_at(ordinal + 1), 4, value >> 36);
    case TensorField::box:
      return put(box_at(ordinal), 8, value - 1);
    case TensorField::dim:
      return put(dim_at(ordinal), 32, value - 1);
    case TensorField::step:
      return put(step_at(ordinal), 3, value - 1);
    case TensorField::type: {
      // The order of the instruction. The last two are tf32 types.
      constexpr std::uint64_t first_tf32 = 11;
      put(type_at, 4, value < first_tf32 ? value : value - 4);
      return put(tf32_at, 1, value >= first_tf32);
    }
    case TensorField::interleave:
      return put(interleave_at, 2, value);
    case TensorField::swizzle:
      return put(swizzle_at, 2, value);
    case TensorField::fill:
      return put(fill_at, 1, value);
  }
}

bool is_allowed(const TensorMap& map) {
  constexpr std::uint64_t address_end = std::uint64_t{1} << 57;
  constexpr std::uint64_t box_end = std::uint64_t{1} << 18;  // bytes
  const std::uint32_t grain = map.interleave == 2 ? 32 : 16;
  if (map.address % grain != 0 || map.address >= address_end || (map.fills_nan && !is_floating(map.type))) return false;
  if (map.interleave > 2 || (map.interleave != 0 && map.rank < 3)) return false;
  for (std::size_t d = 0; d < map.rank; ++d)
    if (!is_allowed_along(map, d, grain)) return false;
  if (map.im2col && (map.rank < 3 || map.channels == 0 || map.channels > 256 || map.pixels == 0 || map.pixels > 1024 ||
                     !has_corners(map)))
    return false;
  const std::uint32_t inner = bytes_of(map.type) * (map.im2col ? map.channels : map.box[0]);
  return bytes_of_box(map) < box_end && inner % 16 == 0 &&
         (map.interleave != 0 || map.swizzle == 0 || inner <= 16u << map.swizzle);
}

}  // namespace lanescope::sim
