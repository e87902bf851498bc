#pragma once
// CUDA arrays, and the texture and surface objects of the device. A handle holds wherever a kernel finds it: in an
// argument, in a structure, in memory.
//
// Mipmaps, cube maps, sparse arrays and views of another format are not there: unsupported() says so to the caller.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "device/memory.h"
#include "device/status.h"
#include "sim/memory/texture.h"

namespace lanescope::device {

// The flags of both APIs that an array may have: layered, surface, gather, color attachment.
inline constexpr unsigned layered_array = 1, surface_array = 2, cube_array = 4, known_array_flags = 0x2b;

// A handle of the program is its address. Rows lie side by side.
struct Array {
  sim::TextureDescription texels;
  unsigned flags = 0;
  Allocation* memory = nullptr;

  // The address of a box of it, in bytes, rows and slices; 0 where it does not lie within.
  std::uint64_t find(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t width, std::uint64_t height,
                     std::uint64_t depth) const;
};

class Textures {
 public:
  explicit Textures(Memory& memory) : memory_(memory) {}

  // `extent` as the APIs take it: 0 where there is no such dimension; of layered ones the last number counts layers.
  Array* make_array(sim::TextureDescription texels, const std::uint64_t (&extent)[3], unsigned flags, const char* call,
                    Status& status);
  Array* array(const void* handle) const;
  Status destroy_array(const void* handle);

  // An object on an array, or on plain memory at `address`; `description` is complete but for what the array says.
  Status make(sim::TextureDescription description, const Array* array, std::uint64_t address, std::uint64_t& handle);
  Status destroy(std::uint64_t handle, bool surface);
  bool has(std::uint64_t handle, bool surface) const;

  // What a launch can use; nullptr: nothing. One whose memory was given back is left out.
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

// A texel of these many bits per channel, as a channel descriptor has them; invalid_channel_descriptor: there is none.
Status set_channels(sim::TextureDescription& to, const int (&bits)[4], sim::ChannelKind kind);

}  // namespace lanescope::device
