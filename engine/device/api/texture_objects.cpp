#include "device/api/texture_objects.h"

#include <algorithm>
#include <string>

#include "core/worded.h"
#include "device/api/library.h"

namespace lanescope::device::api {

namespace {

// Properties of the imitated GPU.
constexpr std::uint64_t alignment = 512, row_alignment = 32, most_texels = 0x7fff'ffff;

Wording box(std::uint64_t bytes, std::uint64_t rows, std::uint64_t slices) {
  return worded("{} bytes × {} rows × {} slices", bytes, rows, slices);
}

// A GPU accepts a texture without texels, and one that is larger than its memory.
Status check_memory(std::uint64_t address, std::uint64_t bytes) {
  const Allocation* memory = device().memory().find(address);
  if (memory == nullptr) return Status::invalid_value;
  if (bytes != 0 && memory->holds(address, bytes)) return Status::success;
  device().say("device.texture_beyond_memory",
               bytes == 0 ? Wording("texture object: it would have no texels")
                          : worded("texture object: {} bytes of texels do not fit into {} from its byte {} on", bytes,
                                   memory->name, address - memory->address),
               "Pass sizes of at least one texel, and not more than the memory has.");
  return Status::invalid_value;
}

}  // namespace

std::uint64_t box_of(const Array& array, const std::uint64_t (&from)[3], const std::uint64_t (&size)[3],
                     const char* call) {
  const std::uint64_t found = array.find(from[0], from[1], from[2], size[0], size[1], size[2]);
  if (found == 0)
    device().observer().said(
        {Severity::warning,
         "device.copy_too_long",
         {},
         worded("{}: {} from byte {}, row {}, slice {} on do not fit into {}, which has {}", std::string(call),
                box(size[0], size[1], size[2]), from[0], from[1], from[2], array.memory->name,
                box(array.texels.pitch(), array.texels.rows(), array.texels.slices())),
         "Check the position and the size of the copy: widths are in bytes."});
  return found;
}

Status check_array_flags(unsigned flags, const char* call) {
  if ((flags & ~array_flags_of_cuda) != 0) return Status::invalid_value;
  if ((flags & ~known_array_flags) != 0) return no_such_texture(call, "sparse arrays and arrays without memory");
  return Status::success;
}

Status new_array(void** to, const sim::TextureDescription& texels, const std::uint64_t (&extent)[3], unsigned flags,
                 const char* call) {
  Status status = Status::success;
  Array* made = device().textures().make_array(texels, extent, flags, call, status);
  if (made != nullptr) *to = made;
  return status;
}

Status put_on_memory(sim::TextureDescription& to, std::uint64_t memory, std::uint64_t bytes) {
  const std::uint64_t texels = bytes / to.texel_bytes();
  if (memory % alignment != 0 || texels > most_texels) return Status::invalid_value;
  to.extent = {static_cast<std::uint32_t>(texels), 0, 0};
  to.linear_memory = true;
  return check_memory(memory, texels * to.texel_bytes());
}

Status put_on_rows(sim::TextureDescription& to, std::uint64_t memory, std::uint64_t width, std::uint64_t height,
                   std::uint64_t row_bytes) {
  if (memory % alignment != 0 || row_bytes % row_alignment != 0 || std::max(width, height) > most_texels)
    return Status::invalid_value;
  if (width * to.texel_bytes() > row_bytes) {
    device().say("device.texture_beyond_memory",
                 worded("texture object: rows of {} texels are {} bytes, but the pitch is {}", width,
                        width * to.texel_bytes(), row_bytes),
                 "Pass the pitch that cudaMallocPitch gave, and the width in texels.");
    return Status::invalid_value;
  }
  to.extent = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 0};
  to.row_bytes = row_bytes;
  return check_memory(memory, width == 0 || height == 0 ? 0 : (height - 1) * row_bytes + width * to.texel_bytes());
}

Status check_cube(const Array* array, bool normalized, bool seamless, const char* call) {
  if (array == nullptr || !array->texels.cube) return Status::success;
  if (normalized && !seamless) return Status::success;
  const Wording what = seamless ? "seamless filtering of cube maps" : "cube maps whose coordinates are not normalized";
  device().say("device.texture_not_there", worded("{}: the device does not have {}", std::string(call), what),
               "Set normalizedCoords to 1 and seamlessCubemap to 0.");
  return Status::not_supported;
}

Status new_mipmap(void** to, const sim::TextureDescription& texels, const std::uint64_t (&extent)[3], unsigned levels,
                  unsigned flags, const char* call) {
  if ((flags & cube_array) != 0) return no_such_texture(call, "mipmaps of cube maps");
  Status status = Status::success;
  Mipmap* made = device().textures().make_mipmap(texels, extent, levels, flags, call, status);
  if (made != nullptr) *to = made;
  return status;
}

Status level_of_mipmap(void** to, const void* handle, unsigned level) {
  const Mipmap* mipmap = device().textures().mipmap(handle);
  if (mipmap == nullptr) return Status::invalid_handle;
  if (to == nullptr || level >= mipmap->levels.size()) return Status::invalid_value;
  *to = const_cast<Array*>(mipmap->levels[level]);
  return Status::success;
}

Status put_on_mipmap(sim::TextureDescription& to, const void* handle, const LevelSampling& sampling,
                     const Array*& array, const char* call) {
  const Mipmap* mipmap = device().textures().mipmap(handle);
  if (mipmap == nullptr) return Status::invalid_handle;
  if (!to.normalized_coordinates) return no_such_texture(call, "mipmaps whose coordinates are not normalized");
  if (sampling.anisotropy > 1) return no_such_texture(call, "anisotropic filtering of mipmaps");
  to.linear_between_levels = sampling.between;
  to.level_bias = sampling.bias;
  to.lowest_level = sampling.lowest;
  to.highest_level = sampling.highest;
  array = &mipmap->all;
  return Status::success;
}

Status new_surface(const void* handle_of_array, std::uint64_t& handle) {
  const Array* array = device().textures().array(handle_of_array);
  if (array == nullptr) return Status::invalid_handle;
  if ((array->flags & surface_array) == 0) {
    device().say("device.surface_flag_missing",
                 worded("surface object: {} was not made for surfaces", array->memory->name),
                 "Pass cudaArraySurfaceLoadStore, or CUDA_ARRAY3D_SURFACE_LDST, when the array is made.");
    return Status::invalid_value;
  }
  sim::TextureDescription made;
  made.surface = true;
  return device().textures().make(made, array, 0, handle);
}

}  // namespace lanescope::device::api
