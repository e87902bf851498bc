#pragma once
// What a texture gives at a coordinate: nearest point and linear filtering as "CUDA C++ Programming Guide", appendix
// "Texture Fetching", says, with weights of 8 bits behind the point (9 bits: 1 is exact).
//
// The guide does not say how weights and results are rounded. Here it is done as an H200 was seen to do it
// (driver 580.159.04): a coordinate is rounded to the nearest 1/256 of a texel, halves up; the weights of several axes
// are whole 256ths that sum up to 1; of 32-bit floats the sum is rounded once, halves away from zero, of half floats to
// a half float, of normalised integers to 16 bits. In 65,536 coordinates in the plane and 60,000 in space the weights
// were equal, and so were the results of 3,000 each but two kinds: of 8-bit signed integers 5 to 8 % differ by 1/32767,
// of half floats in the plane 0.7 % by their last bits. Floats whose sizes differ by more than 2^20 may differ in the
// last bit.
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
  std::int64_t x, y, z;
};

// Which texels a fetch takes, with their weights in 256ths: of 0 none. The weights sum up to 256. Its parts are left
// unset until they are added: there is one for each lane of each fetch.
struct Footprint {
  struct Part {
    TexelPlace place;
    int weight;
    bool inside;  // else the border, whatever the place
  };
  std::array<Part, 8> part;
  int parts = 0;

  void add(const std::optional<TexelPlace>& place, int weight) {
    Part& added = part[static_cast<std::size_t>(parts++)];
    added.inside = place.has_value();
    if (place) added.place = *place;
    added.weight = weight;
  }
};
// They add to an empty footprint.
void add_footprint(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
                   std::int64_t layer);
// The four texels of tex2Dgather(), in its order: (-,+), (+,+), (+,-), (-,-).
void add_gathered(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
                  std::int64_t layer);

// The weights of the texels around a point, in 256ths: bit 0, 1, 2 of an index stands for the upper one in x, y, z.
// Each argument is the weight of the upper one of its axis.
std::array<int, 8> corner_weights(int x, int y, int z);

// Byte of a texel, which must exist.
std::uint64_t offset_of(const TextureDescription& texture, const TexelPlace& place);
Texel texel_at(const TextureDescription& texture, const std::byte* data, const Footprint::Part& part);
// Of a footprint; of one part what is read there.
Texel filtered(const TextureDescription& texture, const std::byte* data, const Footprint& footprint);

}  // namespace lanescope::sim
