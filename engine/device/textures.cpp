#include "device/textures.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "core/worded.h"

namespace lanescope::device {

namespace {

constexpr std::uint64_t most_texels = std::uint64_t{1} << 31;  // along one axis; below the range of coordinates

// The most texels along each axis, by the number of dimensions; of an array of layers the last is the layers (the
// attributes of an H200).
using Extent = std::uint64_t[3];
bool fits(const Extent& extent, bool layered, bool cube, bool mipmap) {
  const auto within = [&](const Extent& most) {
    return extent[0] <= most[0] && extent[1] <= most[1] && extent[2] <= most[2];
  };
  if (cube) return within({32768, 32768, 2046});
  if (layered) return within({32768, 32768, 2048});
  if (extent[2] != 0) return within({16384, 16384, 16384}) || (!mipmap && within({8192, 8192, 32768}));
  if (mipmap) return within({32768, 32768, 0});
  return within({131072, 65536, 0});
}

bool good_extent(const std::uint64_t (&extent)[3], bool layered) {
  const bool sizes = std::ranges::all_of(extent, [](std::uint64_t one) { return one < most_texels; });
  return sizes && extent[0] != 0 && (layered ? extent[2] != 0 : extent[1] != 0 || extent[2] == 0);
}

// The rule of cudaMalloc3DArray().
bool good_cube(const std::uint64_t (&extent)[3], bool layered) {
  return extent[0] == extent[1] && (layered ? extent[2] % 6 == 0 : extent[2] == 6);
}

}  // namespace

Status set_channels(sim::TextureDescription& to, const int (&bits)[4], sim::ChannelKind kind) {
  const auto channels = std::ranges::find(bits, 0) - std::begin(bits);
  const bool equal = std::ranges::all_of(bits, [&](int one) { return one == 0 || one == bits[0]; }) &&
                     std::all_of(bits + channels, std::end(bits), [](int one) { return one == 0; });
  const bool size = bits[0] == 32 || bits[0] == 16 || (bits[0] == 8 && kind != sim::ChannelKind::floating);
  if (!equal || !size || channels == 3) return Status::invalid_channel_descriptor;
  to.channels = static_cast<std::uint8_t>(channels);
  to.channel_bytes = static_cast<std::uint8_t>(bits[0] / 8);
  to.kind = kind;
  return Status::success;
}

std::uint64_t Array::find(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t width, std::uint64_t height,
                          std::uint64_t depth) const {
  const auto fits = [](std::uint64_t from, std::uint64_t count, std::uint64_t all) {
    return from <= all && count <= all - from;
  };
  if (!fits(x, width, texels.pitch()) || !fits(y, height, texels.rows()) || !fits(z, depth, texels.slices())) return 0;
  return address() + (z * texels.rows() + y) * texels.pitch() + x;
}

// Everything but the memory.
Status Textures::describe_array(sim::TextureDescription& texels, const std::uint64_t (&extent)[3], unsigned flags,
                                Array& to) const {
  const bool layered = (flags & layered_array) != 0, cube = (flags & cube_array) != 0;
  const bool gather = (flags & gather_array) != 0, mipmap = to.of_mipmap;
  if (!good_extent(extent, layered || cube) || (cube && !good_cube(extent, layered))) return Status::invalid_value;
  if (!fits(extent, layered, cube, mipmap)) return Status::invalid_value;
  if (gather && (layered || cube || extent[1] == 0 || extent[2] != 0)) return Status::invalid_value;
  for (std::size_t i = 0; i < 3; ++i) texels.extent[i] = static_cast<std::uint32_t>(extent[i]);
  if (layered || cube) texels.layers = std::exchange(texels.extent[2], 0);
  texels.cube = cube;
  texels.layered_cube = cube && layered;
  to = {texels, flags};
  return Status::success;
}

Array* Textures::make_array(sim::TextureDescription texels, const std::uint64_t (&extent)[3], unsigned flags,
                            const char* call, Status& status) {
  auto made = std::make_unique<Array>();
  status = describe_array(texels, extent, flags, *made);
  if (status != Status::success) return nullptr;
  status = Status::memory_allocation;
  made->memory = memory_.allocate(MemoryKind::array, texels.bytes(), call);
  if (made->memory == nullptr) return nullptr;
  status = Status::success;
  Array* const handle = made.get();
  arrays_[handle] = std::move(made);
  return handle;
}

Array* Textures::array(const void* handle) const {
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : found->second.get();
}

Mipmap* Textures::make_mipmap(sim::TextureDescription texels, const std::uint64_t (&extent)[3], unsigned levels,
                              unsigned flags, const char* call, Status& status) {
  auto made = std::make_unique<Mipmap>();
  made->all.of_mipmap = true;
  status = describe_array(texels, extent, flags, made->all);
  if (status != Status::success) return nullptr;
  const auto most = static_cast<unsigned>(std::bit_width(std::ranges::max(texels.extent)));
  made->all.texels.levels = texels.levels = std::clamp(levels, 1u, most);
  status = Status::memory_allocation;
  made->all.memory = memory_.allocate(MemoryKind::array, texels.bytes(), call);
  if (made->all.memory == nullptr) return nullptr;
  for (std::uint32_t number = 0; number < texels.levels; ++number) {
    auto level = std::make_unique<Array>(
        Array{texels.level(number), flags, made->all.memory, texels.level_offset(number), true});
    made->levels.push_back(level.get());
    arrays_[level.get()] = std::move(level);
  }
  status = Status::success;
  Mipmap* const handle = made.get();
  mipmaps_[handle] = std::move(made);
  return handle;
}

Mipmap* Textures::mipmap(const void* handle) const {
  const auto found = mipmaps_.find(handle);
  return found == mipmaps_.end() ? nullptr : found->second.get();
}

Status Textures::destroy_mipmap(const void* handle) {
  const auto found = mipmaps_.find(handle);
  if (found == mipmaps_.end()) return Status::invalid_handle;
  memory_.release(found->second->all.memory);
  for (const Array* level : found->second->levels) arrays_.erase(level);
  mipmaps_.erase(found);
  return Status::success;
}

Status Textures::destroy_array(const void* handle) {
  const auto found = arrays_.find(handle);
  if (found == arrays_.end() || found->second->of_mipmap) return Status::invalid_handle;
  memory_.release(found->second->memory);
  arrays_.erase(found);
  return Status::success;
}

Status Textures::make(sim::TextureDescription description, const Array* array, std::uint64_t address,
                      std::uint64_t& handle) {
  if (array != nullptr) {
    const sim::TextureDescription& of = array->texels;
    description.extent = of.extent;
    description.layers = of.layers;
    description.levels = of.levels;
    description.cube = of.cube;
    description.layered_cube = of.layered_cube;
    description.channels = of.channels;
    description.channel_bytes = of.channel_bytes;
    description.kind = of.kind;
    address = array->address();
    // Texels that a kernel stores are not tracked, so all count as written.
    if (description.surface) array->memory->written = {};
  } else {
    const Allocation* memory = memory_.find(address);
    if (memory == nullptr || !memory->holds(address, description.bytes())) return Status::invalid_value;
  }
  // 32-bit integers are never promoted, and an H200 takes other channels than unsigned bytes as linear.
  description.normalized_float &= description.kind != sim::ChannelKind::floating && description.channel_bytes < 4;
  description.srgb &= description.normalized_float && description.kind == sim::ChannelKind::unsigned_integer &&
                      description.channel_bytes == 1;
  if (description.linear_filter && !description.gives_floats()) return Status::invalid_value;
  handle = ++made_;
  objects_[handle] = {description, address, array != nullptr};
  return Status::success;
}

Status Textures::destroy(std::uint64_t handle, bool surface) {
  if (!has(handle, surface)) return Status::invalid_value;
  objects_.erase(handle);
  return Status::success;
}

bool Textures::has(std::uint64_t handle, bool surface) const {
  const auto found = objects_.find(handle);
  return found != objects_.end() && found->second.description.surface == surface;
}

std::shared_ptr<const std::vector<sim::TextureObject>> Textures::objects() const {
  if (objects_.empty()) return nullptr;
  auto all = std::make_shared<std::vector<sim::TextureObject>>();
  for (const auto& [handle, object] : objects_) {
    Allocation* memory = memory_.find(object.address);
    if (memory == nullptr || !memory->holds(object.address, object.description.bytes())) continue;
    sim::TextureObject& made = all->emplace_back();
    made.handle = handle;
    made.description = object.description;
    made.data = memory->at(object.address);
    if (!memory->written.complete()) made.written = &memory->written;
    made.written_from = object.address - memory->address;
    made.in_global_memory = !object.on_array;
    made.name = object.description.surface ? worded("surface object {} ({})", handle, memory->name)
                                           : worded("texture object {} ({})", handle, memory->name);
  }
  return all;
}

void Textures::forget_all() {
  objects_.clear();
  mipmaps_.clear();
  arrays_.clear();
}

}  // namespace lanescope::device
