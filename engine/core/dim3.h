#pragma once
// Extent of a grid or block, or an index within one, in CUDA's order: x varies fastest.

#include <cstdint>

namespace lanescope {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  // The linear index of `at` within this extent: x first, then y, then z.
  constexpr std::uint64_t linear(Dim3 at) const { return at.x + std::uint64_t{x} * (at.y + std::uint64_t{y} * at.z); }
  // The inverse of linear().
  constexpr Dim3 at(std::uint64_t index) const {
    return {static_cast<std::uint32_t>(index % x), static_cast<std::uint32_t>(index / x % y),
            static_cast<std::uint32_t>(index / x / y)};
  }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

}  // namespace lanescope
