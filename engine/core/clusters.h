#pragma once
// How a grid is divided into clusters of blocks ("CUDA C++ Programming Guide", thread block clusters). Blocks and
// clusters are identified by their linear index in the grid, and a block in its cluster by its rank: x first, then y,
// then z.

#include <cstdint>

#include "core/dim3.h"

namespace lanescope {

inline constexpr std::uint32_t most_portable_cluster = 8;      // blocks; more need an attribute of the kernel
inline constexpr std::uint32_t most_blocks_of_a_cluster = 16;  // on an H100 or H200

// `size` must divide `grid` in each dimension.
struct Clusters {
  Dim3 grid;
  Dim3 size;  // blocks per cluster

  constexpr Dim3 grid_of_clusters() const { return {grid.x / size.x, grid.y / size.y, grid.z / size.z}; }
  constexpr std::uint32_t count() const { return static_cast<std::uint32_t>(grid_of_clusters().count()); }
  constexpr std::uint32_t blocks() const { return static_cast<std::uint32_t>(size.count()); }
  constexpr Dim3 place_in_cluster(std::uint32_t block) const {
    const Dim3 at = grid.at(block);
    return {at.x % size.x, at.y % size.y, at.z % size.z};
  }
  constexpr Dim3 place_of_cluster(std::uint32_t block) const {
    const Dim3 at = grid.at(block);
    return {at.x / size.x, at.y / size.y, at.z / size.z};
  }
  constexpr std::uint32_t rank(std::uint32_t block) const {
    return static_cast<std::uint32_t>(size.linear(place_in_cluster(block)));
  }
  constexpr std::uint32_t cluster(std::uint32_t block) const {
    return static_cast<std::uint32_t>(grid_of_clusters().linear(place_of_cluster(block)));
  }
  constexpr std::uint32_t block(std::uint32_t cluster, std::uint32_t rank) const {
    const Dim3 first = grid_of_clusters().at(cluster), at = size.at(rank);
    return static_cast<std::uint32_t>(
        grid.linear({first.x * size.x + at.x, first.y * size.y + at.y, first.z * size.z + at.z}));
  }
};

}  // namespace lanescope
