#pragma once
// CUDA arrays, and the texture and surface objects of the device. A handle is valid wherever a kernel gets it from: an
// argument, a structure, memory.
//
// Not supported: mipmaps of cube maps, sparse arrays and views in another format.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "device/memory.h"
#include "device/status.h"
#include "sim/memory/texture.h"

namespace lanescope::device {

// Flags of an array, in both APIs: layered, surface, cube map, gather, color attachment.
inline constexpr unsigned layered_array = 1, surface_array = 2, cube_array = 4, gather_array = 8,
                          known_array_flags = 0x2f, array_flags_of_cuda = 0x1ff;

// Its handle is its address. Rows are contiguous.
struct Array {
  sim::TextureDescription texels;
  unsigned flags = 0;
  Allocation* memory = nullptr;
  std::uint64_t offset = 0;  // of a level of a mipmap: where it begins in the memory of all levels
  bool of_mipmap = false;

  std::uint64_t address() const { return memory->address + offset; }

  // The address of a box in it, in bytes, rows and slices. 0 if the box is not inside.
  std::uint64_t find(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t width, std::uint64_t height,
                     std::uint64_t depth) const;
};

// A mipmapped array. Its handle is its address.
struct Mipmap {
  Array all;                         // texels.levels of them
  std::vector<const Array*> levels;  // their handles are valid as long as the mipmap
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

  // `levels` as the program asks: at least one, at most those down to one texel.
  Mipmap* make_mipmap(sim::TextureDescription texels, const std::uint64_t (&extent)[3], unsigned levels, unsigned flags,
                      const char* call, Status& status);
  Mipmap* mipmap(const void* handle) const;
  Status destroy_mipmap(const void* handle);

  // An object on an array, or on plain memory at `address`. `description` is complete except for what the array
  // defines.
  Status make(sim::TextureDescription description, const Array* array, std::uint64_t address, std::uint64_t& handle);
  Status destroy(std::uint64_t handle, bool surface);
  bool has(std::uint64_t handle, bool surface) const;

  // The objects that a launch can use; nullptr if there are none. Objects whose memory was freed are left out.
  std::shared_ptr<const std::vector<sim::TextureObject>> objects() const;
  void forget_all();

 private:
  Status describe_array(sim::TextureDescription& texels, const std::uint64_t (&extent)[3], unsigned flags,
                        Array& to) const;
  struct Object {
    sim::TextureDescription description;
    std::uint64_t address = 0;
    bool on_array = false;
  };
  Memory& memory_;
  std::map<const void*, std::unique_ptr<Array>> arrays_;
  std::map<const void*, std::unique_ptr<Mipmap>> mipmaps_;
  std::map<std::uint64_t, Object> objects_;
  std::uint64_t made_ = 0;
};

// Sets a texel with these numbers of bits per channel, as in a channel descriptor. invalid_channel_descriptor if it is
// not supported.
Status set_channels(sim::TextureDescription& to, const int (&bits)[4], sim::ChannelKind kind);

}  // namespace lanescope::device
