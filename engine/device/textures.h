#pragma once
// CUDA arrays, and the texture and surface objects of the device. A handle is valid wherever a kernel gets it from: an
// argument, a structure, memory.
//
// Not supported: mipmaps, sparse arrays and views in another format. unsupported() reports this to the caller.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "device/memory.h"
#include "device/status.h"
#include "sim/memory/texture.h"

namespace lanescope::device {

// Flags of an array, in both APIs: layered, surface, cube map, gather, color attachment.
inline constexpr unsigned layered_array = 1, surface_array = 2, cube_array = 4, known_array_flags = 0x2f;

// Its handle is its address. Rows are contiguous.
struct Array {
  sim::TextureDescription texels;
  unsigned flags = 0;
  Allocation* memory = nullptr;

  // The address of a box in it, in bytes, rows and slices. 0 if the box is not inside.
  std::uint64_t find(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t width, std::uint64_t height,
                     std::uint64_t depth) const;
};

class Textures {
 public:
  explicit Textures(Memory& memory) : memory_(memory) {}

  // `extent` as in the APIs: 0 if the dimension does not exist. For layered arrays the last number is the number of
  // layers, for cube maps that of all faces.
  Array* make_array(sim::TextureDescription texels, const std::uint64_t (&extent)[3], unsigned flags, const char* call,
                    Status& status);
  Array* array(const void* handle) const;
  Status destroy_array(const void* handle);

  // An object on an array, or on plain memory at `address`. `description` is complete except for what the array
  // defines.
  Status make(sim::TextureDescription description, const Array* array, std::uint64_t address, std::uint64_t& handle);
  Status destroy(std::uint64_t handle, bool surface);
  bool has(std::uint64_t handle, bool surface) const;

  // The objects that a launch can use; nullptr if there are none. Objects whose memory was freed are left out.
  std::shared_ptr<const std::vector<sim::TextureObject>> objects() const;
  void forget_all();

 private:
  struct Object {
    sim::TextureDescription description;
    std::uint64_t address = 0;
    bool on_array = false;
  };
  Memory& memory_;
  std::map<const void*, std::unique_ptr<Array>> arrays_;
  std::map<std::uint64_t, Object> objects_;
  std::uint64_t made_ = 0;
};

// Sets a texel with these numbers of bits per channel, as in a channel descriptor. invalid_channel_descriptor if it is
// not supported.
Status set_channels(sim::TextureDescription& to, const int (&bits)[4], sim::ChannelKind kind);

}  // namespace lanescope::device
