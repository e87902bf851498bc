// CUDA arrays, texture and surface objects of the driver API.

#include <algorithm>

#include "device/api/driver/driver.h"
#include "device/api/streams.h"
#include "device/api/texture_objects.h"

namespace lanescope::device::api {

namespace {

using DriverRecipes = Recipes<CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC>;

Status channels_of(CUarray_format format, unsigned channels, sim::TextureDescription& to) {
  using sim::ChannelKind;
  if (channels != 1 && channels != 2 && channels != 4) return Status::invalid_value;
  int size = 0;
  ChannelKind kind{};
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_UNSIGNED_INT32:
      size = 8 << (format - CU_AD_FORMAT_UNSIGNED_INT8);
      kind = ChannelKind::unsigned_integer;
      break;
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT32:
      size = 8 << (format - CU_AD_FORMAT_SIGNED_INT8);
      kind = ChannelKind::signed_integer;
      break;
    case CU_AD_FORMAT_HALF:
    case CU_AD_FORMAT_FLOAT:
      size = format == CU_AD_FORMAT_HALF ? 16 : 32;
      kind = ChannelKind::floating;
      break;
    default:  // those of video and of compressed texels come last
      return format < CU_AD_FORMAT_BC1_UNORM ? Status::invalid_value : Status::not_supported;
  }
  int bits[4] = {};
  std::fill_n(bits, channels, size);
  return set_channels(to, bits, kind);
}

CUarray_format format_of(const sim::TextureDescription& of) {
  const int power = of.channel_bytes / 2;  // for 1, 2, 4 bytes: 0, 1, 2
  switch (of.kind) {
    case sim::ChannelKind::floating:
      return of.channel_bytes == 2 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    case sim::ChannelKind::signed_integer:
      return static_cast<CUarray_format>(CU_AD_FORMAT_SIGNED_INT8 + power);
    default:
      return static_cast<CUarray_format>(CU_AD_FORMAT_UNSIGNED_INT8 + power);
  }
}

CUresult make_array(CUarray* to, const CUDA_ARRAY3D_DESCRIPTOR& what, const char* call) {
  return driver_answer([&](Device&) {
    if (to == nullptr) return Status::invalid_value;
    if (const Status status = check_array_flags(what.Flags, call); status != Status::success) return status;
    sim::TextureDescription texels;
    const Status status = channels_of(what.Format, what.NumChannels, texels);
    if (status != Status::success) return status;
    return new_array(place_of(to), texels, {what.Width, what.Height, what.Depth}, what.Flags, call);
  });
}

template <typename Put>
CUresult about_array(const void* handle, const void* to, Put&& put) {
  return driver_answer([&](Device& on) {
    const Array* array = on.textures().array(handle);
    if (array == nullptr) return Status::invalid_handle;
    if (to == nullptr) return Status::invalid_value;
    put(*array);
    return Status::success;
  });
}

// The memory of the object.
Status resource_of(const CUDA_RESOURCE_DESC& from, sim::TextureDescription& to, const Array*& array,
                   std::uint64_t& memory, const CUDA_TEXTURE_DESC& sampling, const char* call) {
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      array = device().textures().array(from.res.array.hArray);
      return array == nullptr ? Status::invalid_value : Status::success;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = from.res.linear;
      if (const Status status = channels_of(linear.format, linear.numChannels, to); status != Status::success)
        return status;
      memory = linear.devPtr;
      return put_on_memory(to, memory, linear.sizeInBytes);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = from.res.pitch2D;
      if (const Status status = channels_of(pitched.format, pitched.numChannels, to); status != Status::success)
        return status;
      memory = pitched.devPtr;
      return put_on_rows(to, memory, pitched.width, pitched.height, pitched.pitchInBytes);
    }
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      return put_on_mipmap(to, from.res.mipmap.hMipmappedArray,
                           {sampling.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR, sampling.mipmapLevelBias,
                            sampling.minMipmapLevelClamp, sampling.maxMipmapLevelClamp, sampling.maxAnisotropy},
                           array, call);
    default:
      return Status::invalid_value;
  }
}

Status make_texture(CUtexObject* to, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                    const CUDA_RESOURCE_VIEW_DESC* view) {
  const char* call = "cuTexObjectCreate";
  if (to == nullptr || resource == nullptr || texture == nullptr) return Status::invalid_value;
  constexpr unsigned known_flags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                   CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  if (resource->flags != 0 || (texture->flags & ~known_flags) != 0 || texture->filterMode > CU_TR_FILTER_MODE_LINEAR)
    return Status::invalid_value;
  if (view != nullptr) return no_such_texture(call, "views of another format or size");
  sim::TextureDescription made;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (texture->addressMode[axis] > CU_TR_ADDRESS_MODE_BORDER) return Status::invalid_value;
    made.address[axis] = static_cast<sim::AddressMode>(texture->addressMode[axis]);
  }
  made.linear_filter = texture->filterMode == CU_TR_FILTER_MODE_LINEAR;
  made.normalized_coordinates = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  made.normalized_float = (texture->flags & CU_TRSF_READ_AS_INTEGER) == 0;
  made.srgb = (texture->flags & CU_TRSF_SRGB) != 0;
  std::copy_n(texture->borderColor, 4, made.border.begin());
  const Array* array = nullptr;
  std::uint64_t memory = 0, handle = 0;
  Status status = resource_of(*resource, made, array, memory, *texture, call);
  if (status == Status::success)
    status = check_cube(array, made.normalized_coordinates, (texture->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0, call);
  if (status == Status::success) status = device().textures().make(made, array, memory, handle);
  if (status != Status::success) return status;
  DriverRecipes::keep(handle, {*resource, *texture});
  *to = handle;
  return Status::success;
}

Status make_surface(CUsurfObject* to, const CUDA_RESOURCE_DESC* resource) {
  if (to == nullptr || resource == nullptr || resource->resType != CU_RESOURCE_TYPE_ARRAY) return Status::invalid_value;
  std::uint64_t handle = 0;
  const Status status = new_surface(resource->res.array.hArray, handle);
  if (status != Status::success) return status;
  DriverRecipes::keep(handle, {*resource, {}});
  *to = handle;
  return Status::success;
}

CUresult destroy_object(std::uint64_t handle, bool surface) {
  return driver_answer([&](Device& on) {
    return DriverRecipes::destroy(on, handle, surface, surface ? "cuSurfObjectDestroy" : "cuTexObjectDestroy");
  });
}

template <typename Put>
CUresult about_object(std::uint64_t handle, bool surface, const void* to, Put&& put) {
  return driver_answer([&](Device& on) {
    const DriverRecipes::Recipe* found = DriverRecipes::find(on, handle, surface);
    if (to == nullptr || found == nullptr) return Status::invalid_value;
    put(*found);
    return Status::success;
  });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuArrayCreate(CUarray* to, const CUDA_ARRAY_DESCRIPTOR* what) {
  if (what == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return make_array(to, {what->Width, what->Height, 0, what->Format, what->NumChannels, 0}, "cuArrayCreate");
}
CUresult cuArray3DCreate(CUarray* to, const CUDA_ARRAY3D_DESCRIPTOR* what) {
  return what == nullptr ? CUDA_ERROR_INVALID_VALUE : make_array(to, *what, "cuArray3DCreate");
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* to, CUarray array) {
  return about_array(array, to, [&](const Array& of) {
    *to = {of.texels.extent[0], of.texels.extent[1], format_of(of.texels), of.texels.channels};
  });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* to, CUarray array) {
  return about_array(array, to, [&](const Array& of) {
    *to = {of.texels.extent[0],  of.texels.extent[1], std::max(of.texels.extent[2], of.texels.layers),
           format_of(of.texels), of.texels.channels,  of.flags};
  });
}
CUresult cuArrayDestroy(CUarray array) {
  return driver_answer([&](Device&) { return destroy_array(array, "cuArrayDestroy"); });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* to, const CUDA_ARRAY3D_DESCRIPTOR* what, unsigned levels) {
  return driver_answer([&](Device&) {
    const char* call = "cuMipmappedArrayCreate";
    if (to == nullptr || what == nullptr) return Status::invalid_value;
    if (const Status status = check_array_flags(what->Flags, call); status != Status::success) return status;
    lanescope::sim::TextureDescription texels;
    const Status status = channels_of(what->Format, what->NumChannels, texels);
    if (status != Status::success) return status;
    return new_mipmap(place_of(to), texels, {what->Width, what->Height, what->Depth}, levels, what->Flags, call);
  });
}
CUresult cuMipmappedArrayGetLevel(CUarray* to, CUmipmappedArray mipmap, unsigned level) {
  return driver_answer([&](Device&) { return level_of_mipmap(place_of(to), mipmap, level); });
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap) {
  return driver_answer([&](Device& on) { return on.textures().destroy_mipmap(mipmap); });
}

CUresult cuTexObjectCreate(CUtexObject* to, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  return driver_answer([&](Device&) { return make_texture(to, resource, texture, view); });
}
CUresult cuSurfObjectCreate(CUsurfObject* to, const CUDA_RESOURCE_DESC* resource) {
  return driver_answer([&](Device&) { return make_surface(to, resource); });
}
CUresult cuTexObjectDestroy(CUtexObject texture) {
  return destroy_object(texture, false);
}
CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return destroy_object(surface, true);
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUtexObject texture) {
  return about_object(texture, false, to, [&](const DriverRecipes::Recipe& recipe) { *to = recipe.resource; });
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* to, CUtexObject texture) {
  return about_object(texture, false, to, [&](const DriverRecipes::Recipe& recipe) { *to = recipe.texture; });
}
// Views are not supported, so no texture has one.
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* to, CUtexObject texture) {
  return about_object(texture, false, to, [&](const DriverRecipes::Recipe&) { *to = {}; });
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUsurfObject surface) {
  return about_object(surface, true, to, [&](const DriverRecipes::Recipe& recipe) { *to = recipe.resource; });
}

}  // extern "C"
