#pragma once
// Texture and surface objects as made by cudaCreateTextureObject() and cudaCreateSurfaceObject(): a description, and
// the bytes of the texels. The levels of a mipmap follow each other, the largest first.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wording.h"

namespace lanescope::sim {

class WrittenMap;

// The handle of the first argument that is a texture or surface; the others follow. No memory is mapped at these
// addresses.
inline constexpr std::uint64_t texture_handles = 0x7f01'0000'0000;

enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };
// In the order of cudaTextureAddressMode and CUaddress_mode.
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

struct TextureDescription {
  bool surface = false;                          // else a texture
  std::array<std::uint32_t, 3> extent{1, 0, 0};  // in texels: width, height, depth; 0 = no such dimension
  std::uint32_t layers = 0;                      // 0 = not layered; of a cube map, its faces
  bool cube = false, layered_cube = false;       // a cube map; one with layers of six faces each
  std::uint64_t row_bytes = 0;                   // distance between rows; 0 = rows are contiguous
  bool linear_memory = false;                    // cudaResourceTypeLinear: only tex1Dfetch() reads it
  std::uint32_t levels = 1;                      // of a mipmap; each is half as large as the one before, rounded down
  // A texel: 1, 2 or 4 channels of 1, 2 or 4 bytes; floating ones have 2 or 4.
  std::uint8_t channels = 1, channel_bytes = 4;
  ChannelKind kind = ChannelKind::floating;
  // For textures only.
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear_filter = false;           // cudaFilterModeLinear
  bool normalized_coordinates = false;  // 0 to 1 covers the whole extent
  bool normalized_float = false;        // cudaReadModeNormalizedFloat
  bool srgb = false;                    // cudaTextureDesc::sRGB, of normalised unsigned bytes; see is_srgb()
  std::array<float, 4> border{};        // of integers, as bits
  // For mipmaps: what is added to the level that a fetch asks for, then the range to which it is limited.
  bool linear_between_levels = false;  // cudaTextureDesc::mipmapFilterMode
  float level_bias = 0, lowest_level = 0, highest_level = 0;

  int dimensions() const { return extent[2] != 0 ? 3 : extent[1] != 0 ? 2 : 1; }
  std::uint64_t texel_bytes() const { return std::uint64_t{channels} * channel_bytes; }
  std::uint64_t pitch() const { return row_bytes != 0 ? row_bytes : extent[0] * texel_bytes(); }
  std::uint64_t rows() const { return std::max(extent[1], 1u); }
  // The depth or the number of layers.
  std::uint64_t slices() const { return std::max({extent[2], layers, 1u}); }
  std::uint64_t bytes() const { return levels > 1 ? level_offset(levels) : pitch() * rows() * slices(); }
  // A level by itself, and where its bytes begin. Layers do not become fewer.
  TextureDescription level(std::uint32_t number) const {
    TextureDescription made = *this;
    made.levels = 1;
    for (std::uint32_t& one : made.extent)
      if (one != 0) one = number < 32 ? std::max(one >> number, 1u) : 1u;
    return made;
  }
  std::uint64_t level_offset(std::uint32_t number) const {
    std::uint64_t offset = 0;
    for (std::uint32_t one = 0; one < number; ++one) offset += level(one).bytes();
    return offset;
  }
  // Whether the result in PTX is f32; else it is 32-bit integers.
  bool gives_floats() const { return kind == ChannelKind::floating || normalized_float; }
  // Whether a channel is converted from sRGB: all but the last of two or four, on an H200.
  bool is_srgb(std::size_t channel) const { return srgb && (channels == 1 || channel + 1 < channels); }
};

// An object that a launch can use.
struct TextureObject {
  std::uint64_t handle = 0;  // the kernel's 64-bit handle
  TextureDescription description;
  std::byte* data = nullptr;       // description.bytes() bytes, not owned; writable for a surface
  WrittenMap* written = nullptr;   // which bytes were ever written; nullptr = all. Not owned.
  std::uint64_t written_from = 0;  // position of the first byte in `written`
  bool in_global_memory = false;   // linear or pitch-linear: the kernel may write there through pointers
  Wording name;                    // for messages: "arg 1"
};

}  // namespace lanescope::sim
