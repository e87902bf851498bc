// CUDA arrays, texture and surface objects of the runtime API.

#include <algorithm>

#include "device/api/runtime/runtime.h"
#include "device/api/texture_objects.h"

namespace lanescope::device::api {

namespace {

using RuntimeRecipes = Recipes<cudaResourceDesc, cudaTextureDesc>;

Status channels_of(const cudaChannelFormatDesc& from, sim::TextureDescription& to) {
  const int bits[4] = {from.x, from.y, from.z, from.w};
  switch (from.f) {
    case cudaChannelFormatKindSigned:
      return set_channels(to, bits, sim::ChannelKind::signed_integer);
    case cudaChannelFormatKindUnsigned:
      return set_channels(to, bits, sim::ChannelKind::unsigned_integer);
    case cudaChannelFormatKindFloat:
      return set_channels(to, bits, sim::ChannelKind::floating);
    default:
      return Status::invalid_channel_descriptor;
  }
}

cudaChannelFormatDesc descriptor_of(const sim::TextureDescription& of) {
  const auto bits = [&](int channel) { return channel < of.channels ? 8 * of.channel_bytes : 0; };
  const cudaChannelFormatKind kind = of.kind == sim::ChannelKind::floating         ? cudaChannelFormatKindFloat
                                     : of.kind == sim::ChannelKind::signed_integer ? cudaChannelFormatKindSigned
                                                                                   : cudaChannelFormatKindUnsigned;
  return {bits(0), bits(1), bits(2), bits(3), kind};
}

Status make_array(cudaArray_t* to, const cudaChannelFormatDesc* format, const cudaExtent& extent, unsigned flags,
                  const char* call) {
  if (to == nullptr || format == nullptr) return Status::invalid_value;
  if (const Status status = check_array_flags(flags, call); status != Status::success) return status;
  sim::TextureDescription texels;
  if (const Status status = channels_of(*format, texels); status != Status::success) return status;
  return new_array(place_of(to), texels, {extent.width, extent.height, extent.depth}, flags, call);
}

// The memory of the object.
Status resource_of(const cudaResourceDesc& from, sim::TextureDescription& to, const Array*& array,
                   std::uint64_t& memory, const cudaTextureDesc& sampling, const char* call) {
  switch (from.resType) {
    case cudaResourceTypeArray:
      array = device().textures().array(from.res.array.array);
      return array == nullptr ? Status::invalid_handle : Status::success;
    case cudaResourceTypeLinear: {
      const Status status = channels_of(from.res.linear.desc, to);
      if (status != Status::success) return status;
      memory = address(from.res.linear.devPtr);
      return put_on_memory(to, memory, from.res.linear.sizeInBytes);
    }
    case cudaResourceTypePitch2D: {
      const auto& pitched = from.res.pitch2D;
      const Status status = channels_of(pitched.desc, to);
      if (status != Status::success) return status;
      memory = address(pitched.devPtr);
      return put_on_rows(to, memory, pitched.width, pitched.height, pitched.pitchInBytes);
    }
    case cudaResourceTypeMipmappedArray:
      return put_on_mipmap(to, from.res.mipmap.mipmap,
                           {sampling.mipmapFilterMode == cudaFilterModeLinear, sampling.mipmapLevelBias,
                            sampling.minMipmapLevelClamp, sampling.maxMipmapLevelClamp, sampling.maxAnisotropy},
                           array, call);
    default:
      return Status::invalid_value;
  }
}

Status make_texture(cudaTextureObject_t* to, const cudaResourceDesc* resource, const cudaTextureDesc* texture,
                    const cudaResourceViewDesc* view) {
  const char* call = "cudaCreateTextureObject";
  if (resource == nullptr) return Status::invalid_value;
  if (texture == nullptr) return Status::invalid_handle;  // what CUDA 13's runtime answers
  if (view != nullptr) return no_such_texture(call, "views of another format or size");
  sim::TextureDescription made;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (texture->addressMode[axis] > cudaAddressModeBorder || texture->filterMode > cudaFilterModeLinear)
      return Status::invalid_value;
    made.address[axis] = static_cast<sim::AddressMode>(texture->addressMode[axis]);
  }
  made.linear_filter = texture->filterMode == cudaFilterModeLinear;
  made.normalized_coordinates = texture->normalizedCoords != 0;
  made.normalized_float = texture->readMode == cudaReadModeNormalizedFloat;
  made.srgb = texture->sRGB != 0;
  std::copy_n(texture->borderColor, 4, made.border.begin());
  const Array* array = nullptr;
  std::uint64_t memory = 0;
  if (const Status status = resource_of(*resource, made, array, memory, *texture, call); status != Status::success)
    return status;
  if (const Status status = check_cube(array, made.normalized_coordinates, texture->seamlessCubemap != 0, call);
      status != Status::success)
    return status;
  const sim::TextureDescription& texels = array != nullptr ? array->texels : made;
  const bool is_float = texels.kind == sim::ChannelKind::floating;
  if (made.linear_filter && !is_float && (!made.normalized_float || texels.channel_bytes == 4))
    return Status::invalid_filter_setting;
  if (made.normalized_float && texels.channel_bytes == 4) return Status::invalid_norm_setting;
  if (to == nullptr) return Status::invalid_value;
  std::uint64_t handle = 0;
  const Status status = device().textures().make(made, array, memory, handle);
  if (status != Status::success) return status;
  RuntimeRecipes::keep(handle, {*resource, *texture});
  *to = handle;
  return Status::success;
}

Status make_surface(cudaSurfaceObject_t* to, const cudaResourceDesc* resource) {
  if (to == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) return Status::invalid_value;
  std::uint64_t handle = 0;
  const Status status = new_surface(resource->res.array.array, handle);
  if (status != Status::success) return status;
  RuntimeRecipes::keep(handle, {*resource, {}});
  *to = handle;
  return Status::success;
}

cudaError_t destroy_texture_or_surface(std::uint64_t handle, bool surface) {
  return answer([&](Device& on) {
    return RuntimeRecipes::destroy(on, handle, surface,
                                   surface ? "cudaDestroySurfaceObject" : "cudaDestroyTextureObject");
  });
}

template <typename Put>
cudaError_t ask(std::uint64_t handle, bool surface, const void* to, Put&& put) {
  return answer([&](Device& on) {
    const RuntimeRecipes::Recipe* found = RuntimeRecipes::find(on, handle, surface);
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

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaMallocArray(cudaArray_t* to, const cudaChannelFormatDesc* format, std::size_t width, std::size_t height,
                            unsigned flags) {
  return answer([&](Device&) {
    if ((flags & layered_array) != 0) return Status::invalid_value;
    return make_array(to, format, {width, height, 0}, flags, "cudaMallocArray");
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* to, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags) {
  return answer([&](Device&) { return make_array(to, format, extent, flags, "cudaMalloc3DArray"); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return answer([&](Device&) { return array == nullptr ? Status::success : destroy_array(array, "cudaFreeArray"); });
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* to, const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return answer([&](Device&) {
    const char* call = "cudaMallocMipmappedArray";
    if (to == nullptr || format == nullptr) return Status::invalid_value;
    if (const Status status = check_array_flags(flags, call); status != Status::success) return status;
    lanescope::sim::TextureDescription texels;
    if (const Status status = channels_of(*format, texels); status != Status::success) return status;
    return new_mipmap(place_of(to), texels, {extent.width, extent.height, extent.depth}, levels, flags, call);
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* to, cudaMipmappedArray_const_t mipmap, unsigned level) {
  return answer([&](Device&) { return level_of_mipmap(place_of(to), mipmap, level); });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap) {
  return answer([&](Device& on) { return mipmap == nullptr ? Status::success : on.textures().destroy_mipmap(mipmap); });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return answer([&](Device& on) {
    const Array* found = on.textures().array(array);
    if (found == nullptr) return Status::invalid_handle;
    const lanescope::sim::TextureDescription& of = found->texels;
    if (format != nullptr) *format = descriptor_of(of);
    if (extent != nullptr) *extent = {of.extent[0], of.extent[1], std::max(of.layers, of.extent[2])};
    if (flags != nullptr) *flags = found->flags;
    return Status::success;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (format == nullptr) return remember(Status::invalid_value);
  return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* to, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  return answer([&](Device&) { return make_texture(to, resource, texture, view); });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* to, const cudaResourceDesc* resource) {
  return answer([&](Device&) { return make_surface(to, resource); });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return destroy_texture_or_surface(texture, false);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return destroy_texture_or_surface(surface, true);
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* to, cudaTextureObject_t texture) {
  return ask(texture, false, to, [&](const RuntimeRecipes::Recipe& recipe) { *to = recipe.resource; });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* to, cudaTextureObject_t texture) {
  return ask(texture, false, to, [&](const RuntimeRecipes::Recipe& recipe) { *to = recipe.texture; });
}
// Views are not supported, so no texture has one.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* to, cudaTextureObject_t texture) {
  return ask(texture, false, to, [&](const RuntimeRecipes::Recipe&) { *to = {}; });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* to, cudaSurfaceObject_t surface) {
  return ask(surface, true, to, [&](const RuntimeRecipes::Recipe& recipe) { *to = recipe.resource; });
}

}  // extern "C"
