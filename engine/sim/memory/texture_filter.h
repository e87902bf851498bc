#pragma once
// What a texture fetch gives at a coordinate: nearest-point and linear filtering as in "CUDA C++ Programming Guide",
// appendix "Texture Fetching", with weights of 8 fractional bits (9 bits in all, so 1 is exact).
//
// The guide does not say how weights and results are rounded. This follows measurements on an H200 (driver 580.159.04).
// A coordinate is rounded to the nearest 1/256 of a texel, ties up. The weights of several axes are whole 256ths that
// add up to 1; beyond the edge with clamp, an axis has one texel only. The sum is rounded once, ties away
// from zero: for 32-bit floats to a float, for half floats and sRGB to a half float, for normalised integers to 16
// bits, to which bytes are extended first. The weights were equal for 65,536 coordinates in the plane and 60,000 in
// space. So were 3,000 results of each kind, except for 0.7 % of those for half floats in the plane, which differ in
// their last bits, 2 to 8 % of those for signed bytes, which differ by 1/32767, and 15 to 40 % of blended sRGB texels,
// which an H200 makes darker by up to 1/256. Results for floats whose magnitudes differ by more than 2^20 may differ in
// the last bit. Missing channels of a texel are 0; a missing fourth channel is 1.

#include <array>
#include <cstdint>
#include <optional>

#include "sim/memory/texture.h"

namespace lanescope::sim {

// 32-bit results: floats as their bits.
using Texel = std::array<std::uint32_t, 4>;

// The position of a texel. z is the layer of a layered texture.
struct TexelPlace {
  std::int64_t x, y, z;
};

// The texels that a fetch uses, with their weights in 256ths; the weights add up to 256. Texels with weight 0 are left
// out. Parts are uninitialised until they are added, because there is a footprint for each lane of each fetch.
struct Footprint {
  struct Part {
    TexelPlace place;
    int weight;
    std::uint32_t level;  // of a mipmap
    bool inside;          // else the border colour is used, whatever the place
  };
  std::array<Part, 16> part;
  int parts = 0;

  void add(const std::optional<TexelPlace>& place, int weight, std::uint32_t level = 0) {
    Part& added = part[static_cast<std::size_t>(parts++)];
    added.inside = place.has_value();
    added.level = level;
    if (place) added.place = *place;
    added.weight = weight;
  }
};
// The level of a mipmap that a fetch asks for, in 256ths, limited as the texture says. Measured on an H200: level, bias
// and limits are each cut to 256ths towards 0. Without a level, that is level 0 without the bias.
int level_for(const TextureDescription& texture, std::optional<float> level);
// The same for the gradients of tex…Grad(). CUDA does not say which level follows from them. Measured on an H200: the
// longer one counts. A length in texels is the longest component and 11/32 of the next one; its logarithm is that of
// the middle of an interval of 1/256 of a power of two. `certain`: it was measured for such gradients, of which one is
// 0, or which are along two axes. For others an H200 gives another level, mostly less than 1/4 away.
int level_for_gradients(const TextureDescription& texture, const std::array<float, 3>& dx,
                        const std::array<float, 3>& dy, bool& certain);

// These functions add to an empty footprint. `level` is in 256ths: between two levels of a mipmap both are used, or the
// nearest one, the upper one if both are equally near.
void add_footprint_of_mipmap(Footprint& footprint, const TextureDescription& texture,
                             const std::array<float, 3>& coordinate, std::int64_t layer, int level);
void add_footprint(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
                   std::int64_t layer);
// The four texels of tex2Dgather() in its order: (-,+), (+,+), (+,-), (-,-).
void add_gathered(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
                  std::int64_t layer);

// The weights of the texels around a point, in 256ths. Bits 0, 1 and 2 of an index select the upper texel in x, y and
// z. Each argument is the weight of the upper texel on that axis. `all`: what the weights add up to.
std::array<int, 8> corner_weights(int x, int y, int z, int all = 256);

// Where a direction from the centre of a cube map meets it: the table of the guide's "Cubemap Textures". Of two
// components that are equally long, x goes before y and y before z, which the guide does not say.
struct CubeFace {
  std::int64_t face = 0;
  std::array<float, 3> coordinate{};  // s and t, from 0 to 1 on the face
  bool on_edge = false;               // between two faces, or no direction at all
};
CubeFace cube_face(const std::array<float, 3>& direction);
// Adds to an empty footprint; `layer` counts cubes. Texels beyond the edge of a face are those of its address mode.
// False if the guide leaves open which texels these are.
bool add_cube_footprint(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& direction,
                        std::int64_t layer);

// The byte offset of a texel, which must exist.
std::uint64_t offset_of(const TextureDescription& texture, const TexelPlace& place);
std::uint64_t offset_of(const TextureDescription& texture, const Footprint::Part& part);
Texel texel_at(const TextureDescription& texture, const std::byte* data, const Footprint::Part& part);
// The filtered result. With a single part, it is the value of that texel.
Texel filtered(const TextureDescription& texture, const std::byte* data, const Footprint& footprint);

}  // namespace lanescope::sim
