#pragma once
// What a texture gives at a coordinate, as "CUDA C++ Programming Guide", appendix "Texture Fetching", says: nearest
// point and linear filtering, with weights of 8 bits behind the point (9 bits: 1 is exact).
//
// The guide does not say how a weight is rounded, nor how the products are summed up: here a coordinate is rounded to
// the nearest 1/256 of a texel, and the sum is exact for those weights, rounded once. A GPU's last bits may differ.
// Channels that a texel does not have are 0, the fourth 1.

#include <array>
#include <cstdint>
#include <optional>

#include "sim/memory/texture.h"

namespace lanescope::sim {

// 32-bit results: floats as their bits.
using Texel = std::array<std::uint32_t, 4>;

// A place among the texels; z is the layer of a layered one.
struct TexelPlace {
  std::int64_t x = 0, y = 0, z = 0;
};

// Which texels a fetch takes, with their weights: of 0 none.
struct Footprint {
  struct Part {
    std::optional<TexelPlace> place;  // none: the border
    double weight = 0;
  };
  std::array<Part, 8> part;
  int parts = 0;
};
Footprint footprint_of(const TextureDescription& texture, const std::array<float, 3>& coordinate, std::int64_t layer);
// The four texels of tex2Dgather(), in its order: (-,+), (+,+), (+,-), (-,-).
Footprint gathered(const TextureDescription& texture, const std::array<float, 3>& coordinate, std::int64_t layer);

// Byte of a texel, which must exist.
std::uint64_t offset_of(const TextureDescription& texture, const TexelPlace& place);
Texel texel_at(const TextureDescription& texture, const std::byte* data, const std::optional<TexelPlace>& place);
// Of a footprint.
Texel filtered(const TextureDescription& texture, const std::byte* data, const Footprint& footprint);

}  // namespace lanescope::sim
