#include "gpu/device_texture.h"

#include <algorithm>

namespace lanescope::gpu {

namespace {

CUarray_format format_of(const sim::TextureDescription& texture) {
  const int size = texture.channel_bytes;
  switch (texture.kind) {
    case sim::ChannelKind::signed_integer:
      return size == 1 ? CU_AD_FORMAT_SIGNED_INT8 : size == 2 ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_SIGNED_INT32;
    case sim::ChannelKind::unsigned_integer:
      return size == 1   ? CU_AD_FORMAT_UNSIGNED_INT8
             : size == 2 ? CU_AD_FORMAT_UNSIGNED_INT16
                         : CU_AD_FORMAT_UNSIGNED_INT32;
    case sim::ChannelKind::floating:
      break;
  }
  return size == 2 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
}

CUDA_TEXTURE_DESC description_of(const sim::TextureDescription& texture) {
  CUDA_TEXTURE_DESC made{};
  std::ranges::transform(texture.address, made.addressMode,
                         [](sim::AddressMode mode) { return static_cast<CUaddress_mode>(mode); });
  made.filterMode = texture.linear_filter ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (texture.normalized_coordinates) made.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  // The driver makes floats of integers unless it is told not to; the runtime does not.
  if (texture.kind != sim::ChannelKind::floating && !texture.normalized_float) made.flags |= CU_TRSF_READ_AS_INTEGER;
  return made;
}

}  // namespace

// The object exists once the other constructor returns, so its destructor frees what was made before a failure.
DeviceTexture::DeviceTexture(const DriverApi& api, MemoryPool& pool, const sim::TextureDescription& texture,
                             std::size_t bytes)
    : DeviceTexture(api, texture) {
  if (texture.linear_memory)
    memory_ = DeviceMemory(pool, bytes);
  else
    make_array();
  make_object(bytes);
}

DeviceTexture::~DeviceTexture() {
  if (handle_ != 0) texture_.surface ? api_.surface_destroy(handle_) : api_.texture_destroy(handle_);
  if (array_ != nullptr) api_.array_destroy(array_);
}

void DeviceTexture::make_array() {
  CUDA_ARRAY3D_DESCRIPTOR wanted{};
  wanted.Width = texture_.extent[0];
  wanted.Height = texture_.extent[1];
  wanted.Depth = texture_.layers != 0 ? texture_.layers : texture_.extent[2];
  wanted.Format = format_of(texture_);
  wanted.NumChannels = texture_.channels;
  if (texture_.layers != 0) wanted.Flags |= CUDA_ARRAY3D_LAYERED;
  if (texture_.surface) wanted.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
  LANESCOPE_CUDA(api_.array_create(&array_, &wanted));
}

void DeviceTexture::make_object(std::size_t bytes) {
  CUDA_RESOURCE_DESC resource{};
  if (array_ != nullptr) {
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array_;
  } else {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory_.get();
    resource.res.linear.format = format_of(texture_);
    resource.res.linear.numChannels = texture_.channels;
    resource.res.linear.sizeInBytes = bytes;
  }
  CUtexObject made = 0;
  if (texture_.surface) {
    LANESCOPE_CUDA(api_.surface_create(&made, &resource));
  } else {
    const CUDA_TEXTURE_DESC description = description_of(texture_);
    LANESCOPE_CUDA(api_.texture_create(&made, &resource, &description, nullptr));
  }
  handle_ = made;
}

// Between the array and something in contiguous rows and slices.
CUDA_MEMCPY3D DeviceTexture::whole_copy() const {
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = texture_.pitch();
  copy.Height = texture_.rows();
  copy.Depth = texture_.slices();
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes;
  copy.srcHeight = copy.dstHeight = copy.Height;
  return copy;
}

void DeviceTexture::upload(std::span<const std::byte> texels) {
  if (array_ == nullptr) {
    LANESCOPE_CUDA(api_.memcpy_h_to_d(memory_.get(), texels.data(), texels.size()));
    return;
  }
  CUDA_MEMCPY3D copy = whole_copy();
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array_;
  LANESCOPE_CUDA(api_.memcpy_3d(&copy));
}

void DeviceTexture::download(std::span<std::byte> texels) const {
  if (array_ == nullptr) {
    LANESCOPE_CUDA(api_.memcpy_d_to_h(texels.data(), memory_.get(), texels.size()));
    return;
  }
  CUDA_MEMCPY3D copy = whole_copy();
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array_;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = texels.data();
  LANESCOPE_CUDA(api_.memcpy_3d(&copy));
}

void DeviceTexture::restore(CUdeviceptr texels, CUstream stream) {
  if (array_ == nullptr) return;  // a kernel cannot write to it
  CUDA_MEMCPY3D copy = whole_copy();
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = texels;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array_;
  LANESCOPE_CUDA(api_.memcpy_3d_async(&copy, stream));
}

}  // namespace lanescope::gpu
