#pragma once
// Arrays, texture and surface objects: what both APIs share.

#include <cstdint>
#include <map>

#include "device/api/library.h"
#include "device/device.h"

namespace lanescope::device::api {

// `call` is for messages. `extent` as for Textures::make_array().
Status new_array(void** to, const sim::TextureDescription& texels, const std::uint64_t (&extent)[3], unsigned flags,
                 const char* call);
// not_supported, with a message, for flags that new_array() does not support.
Status check_array_flags(unsigned flags, const char* call);

// The address of a box of an array, as Array::find(). 0, with a message, if the box is not inside.
std::uint64_t box_of(const Array& array, const std::uint64_t (&from)[3], const std::uint64_t (&size)[3],
                     const char* call);

// Complete a description, whose channels are set, for a texture on plain memory. invalid_value if a size or an
// alignment does not fit.
Status put_on_memory(sim::TextureDescription& to, std::uint64_t memory, std::uint64_t bytes);
Status put_on_rows(sim::TextureDescription& to, std::uint64_t memory, std::uint64_t width, std::uint64_t height,
                   std::uint64_t row_bytes);

// not_supported, with a message, for a texture on a cube map that is sampled in a way that CUDA does not describe.
Status check_cube(const Array* array, bool normalized, bool seamless, const char* call);

// A mipmapped array, its level as an array, and its end.
Status new_mipmap(void** to, const sim::TextureDescription& texels, const std::uint64_t (&extent)[3], unsigned levels,
                  unsigned flags, const char* call);
Status level_of_mipmap(void** to, const void* mipmap, unsigned level);
// How levels are sampled. `between`: linear_between_levels.
struct LevelSampling {
  bool between = false;
  float bias = 0, lowest = 0, highest = 0;
  unsigned anisotropy = 0;
};
// Completes the description of a texture on the mipmap, whose array is `array`. not_supported, with a message, for
// what is not there.
Status put_on_mipmap(sim::TextureDescription& to, const void* mipmap, const LevelSampling& sampling,
                     const Array*& array, const char* call);

// A surface object on an array, which must allow it.
Status new_surface(const void* array, std::uint64_t& handle);

// The descriptions, in the types of one API, from which its objects were made, by handle.
template <typename Resource, typename Texture>
class Recipes {
 public:
  struct Recipe {
    Resource resource{};
    Texture texture{};
  };
  static void keep(std::uint64_t handle, const Recipe& recipe) { all()[handle] = recipe; }
  // As on a GPU, any other number is no error; it is a warning.
  static Status destroy(Device& on, std::uint64_t handle, bool surface, const char* call) {
    all().erase(handle);
    if (handle != 0 && on.textures().destroy(handle, surface) != Status::success) say_unknown(handle, call);
    return Status::success;
  }
  // nullptr if there is no such object.
  static const Recipe* find(Device& on, std::uint64_t handle, bool surface) {
    const auto found = all().find(handle);
    return found == all().end() || !on.textures().has(handle, surface) ? nullptr : &found->second;
  }

 private:
  static std::map<std::uint64_t, Recipe>& all() {
    static auto* const made = new std::map<std::uint64_t, Recipe>;
    return *made;
  }
};

}  // namespace lanescope::device::api
