#pragma once
// Texture and surface objects, as cudaCreateTextureObject() and cudaCreateSurfaceObject() make them: a description and
// the bytes of its texels. Mipmaps and cube maps are not there.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wording.h"

namespace lanescope::sim {

class WrittenMap;

// The handle of the first argument that is a texture or surface; the next ones' follow. Nothing is mapped there.
inline constexpr std::uint64_t texture_handles = 0x7f01'0000'0000;

enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };  // in the order of cudaTextureAddressMode

struct TextureDescription {
  bool surface = false;                          // else a texture
  std::array<std::uint32_t, 3> extent{1, 0, 0};  // in texels: width, height, depth; 0 = it has no such dimension
  std::uint32_t layers = 0;                      // 0 = not layered
  std::uint64_t row_bytes = 0;                   // from row to row; 0 = rows lie side by side
  bool linear_memory = false;                    // cudaResourceTypeLinear: only tex1Dfetch() reads it
  // A texel: 1, 2 or 4 channels of 1, 2 or 4 bytes; floating ones have 2 or 4.
  std::uint8_t channels = 1, channel_bytes = 4;
  ChannelKind kind = ChannelKind::floating;
  // Of a texture.
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear_filter = false;           // cudaFilterModeLinear
  bool normalized_coordinates = false;  // 0 to 1 is all of it
  bool normalized_float = false;        // cudaReadModeNormalizedFloat
  std::array<float, 4> border{};

  int dimensions() const { return extent[2] != 0 ? 3 : extent[1] != 0 ? 2 : 1; }
  std::uint64_t texel_bytes() const { return std::uint64_t{channels} * channel_bytes; }
  std::uint64_t pitch() const { return row_bytes != 0 ? row_bytes : extent[0] * texel_bytes(); }
  std::uint64_t rows() const { return std::max(extent[1], 1u); }
  // Depth or layers.
  std::uint64_t slices() const { return std::max({extent[2], layers, 1u}); }
  std::uint64_t bytes() const { return pitch() * rows() * slices(); }
  // What its result is to PTX: f32, or 32-bit integers.
  bool gives_floats() const { return kind == ChannelKind::floating || normalized_float; }
};

// One that a launch can use.
struct TextureObject {
  std::uint64_t handle = 0;  // the 64 bits that the kernel has
  TextureDescription description;
  std::byte* data = nullptr;       // description.bytes() bytes, not owned; a surface is written to
  WrittenMap* written = nullptr;   // which of them ever were; nullptr = all. Not owned.
  std::uint64_t written_from = 0;  // where in `written` the first of them is
  bool in_global_memory = false;   // linear or pitch-linear: the kernel may write there through pointers
  Wording name;                    // for messages: "arg 1"
};

}  // namespace lanescope::sim
