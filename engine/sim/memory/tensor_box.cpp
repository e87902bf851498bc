#include "sim/memory/tensor_box.h"

#include <algorithm>

namespace lanescope::sim {

namespace {

using Coordinates = std::array<std::int64_t, TensorMap::most_dimensions>;

std::uint32_t taken(const TensorMap& map, std::size_t dimension) {
  if (map.interleave != 0 && dimension + 2 == map.rank) return 1;
  return (map.box[dimension] + map.step[dimension] - 1) / map.step[dimension];
}

// A step along dimension 0 counts in an interleaved layout only. Then each pixel is a row.
bool takes_single_pixels(const TensorMap& map) {
  return map.interleave != 0 && map.step[0] != 1;
}

std::uint32_t row_elements(const TensorMap& map) {
  if (takes_single_pixels(map)) return 1;
  return map.im2col ? map.channels : map.box[0];
}

// A row of elements along dimension 0 that starts at `at`.
TensorRow row_at(const TensorMap& map, const Coordinates& at) {
  TensorRow row;
  std::uint64_t address = map.address;
  for (std::size_t d = 1; d < map.rank; ++d) {
    if (at[d] < 0 || static_cast<std::uint64_t>(at[d]) >= map.dim[d]) return row;
    address += static_cast<std::uint64_t>(at[d]) * map.stride[d];
  }
  const std::int64_t first = std::max<std::int64_t>(at[0], 0);
  const std::int64_t last = std::min(at[0] + row_elements(map), static_cast<std::int64_t>(map.dim[0]));
  if (last <= first) return row;
  const std::uint32_t width = innermost_bytes(map);
  row.address = address + static_cast<std::uint64_t>(first) * width;
  row.skipped = static_cast<std::uint32_t>(first - at[0]) * width;
  row.bytes = static_cast<std::uint32_t>(last - first) * width;
  return row;
}

std::vector<TensorRow> tiled_rows(const TensorMap& map, const TensorPlace& place) {
  std::vector<TensorRow> rows;
  rows.reserve(row_count(map));
  std::array<std::uint32_t, TensorMap::most_dimensions> index{};
  for (;;) {
    Coordinates at{};
    for (std::size_t d = 0; d < map.rank; ++d) at[d] = std::int64_t{place.at[d]} + index[d] * map.step[d];
    rows.push_back(row_at(map, at));
    std::size_t d = takes_single_pixels(map) ? 0 : 1;
    while (d < map.rank && ++index[d] == taken(map, d)) index[d++] = 0;
    if (d >= map.rank) return rows;
  }
}

// Pixels follow each other in the box, from the lower to the upper corner of each image, then in the next image. Their
// offset moves where they are read from, not their order in the box.
std::vector<TensorRow> pixel_rows(const TensorMap& map, const TensorPlace& place) {
  std::vector<TensorRow> rows;
  rows.reserve(map.pixels);
  Coordinates base{};
  for (std::size_t d = 0; d < map.rank; ++d) base[d] = place.at[d];
  const std::size_t images = map.rank - 1;
  while (rows.size() < map.pixels) {
    Coordinates at = base;
    for (std::size_t d = 1; d < images; ++d) at[d] += place.offset[d - 1];
    rows.push_back(row_at(map, at));
    std::size_t d = 1;
    for (; d < images; ++d) {
      base[d] += map.step[d];
      if (base[d] < static_cast<std::int64_t>(map.dim[d]) + map.upper[d - 1]) break;
      base[d] = map.lower[d - 1];
    }
    if (d == images) base[images] += map.step[images];
  }
  return rows;
}

}  // namespace

UnknownInterleaving unknown_in(const TensorMap& map) {
  using Unknown = UnknownInterleaving;
  if (map.interleave == 0) return Unknown::none;
  if (map.im2col) return Unknown::pixels_of_images;
  return map.step[map.rank - 2] != 1 ? Unknown::step_of_slices : Unknown::none;
}

std::uint32_t row_bytes(const TensorMap& map) {
  return row_elements(map) * innermost_bytes(map);
}

std::uint64_t row_count(const TensorMap& map) {
  if (map.im2col) return map.pixels;
  std::uint64_t rows = 1;
  for (std::size_t d = takes_single_pixels(map) ? 0 : 1; d < map.rank; ++d) rows *= taken(map, d);
  return rows;
}

std::vector<TensorRow> rows_of(const TensorMap& map, const TensorPlace& place) {
  return map.im2col ? pixel_rows(map, place) : tiled_rows(map, place);
}

std::uint32_t to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t infinity = 0x7f800000, dropped = 0x1fff;
  if ((bits & ~0x80000000u) > infinity) return 0x7fffe000;
  return (bits + dropped / 2 + (bits >> 13 & 1u)) & ~dropped;
}

}  // namespace lanescope::sim
