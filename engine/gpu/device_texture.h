#pragma once
// A texture or surface object on the device, with the array or the linear memory of its texels. A failed driver call
// throws CudaError. Internal to gpu/.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/device_pool.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

class DeviceTexture {
 public:
  DeviceTexture(const DriverApi& api, MemoryPool& pool, const sim::TextureDescription& texture, std::size_t bytes);
  DeviceTexture(const DeviceTexture&) = delete;
  DeviceTexture& operator=(const DeviceTexture&) = delete;
  ~DeviceTexture();

  std::uint64_t handle() const { return handle_; }
  // The texels, row by row, slice by slice.
  void upload(std::span<const std::byte> texels);
  void download(std::span<std::byte> texels) const;
  // The same from device memory, in a stream.
  void restore(CUdeviceptr texels, CUstream stream);
  // While a kernel hangs, nothing that it uses may be freed.
  void abandon() { array_ = nullptr, handle_ = 0, memory_.abandon(); }

 private:
  DeviceTexture(const DriverApi& api, const sim::TextureDescription& texture) : api_(api), texture_(texture) {}
  void make_array();
  void make_object(std::size_t bytes);
  CUDA_MEMCPY3D whole_copy() const;

  const DriverApi& api_;
  const sim::TextureDescription texture_;
  DeviceMemory memory_;  // of linear memory
  CUarray array_ = nullptr;
  std::uint64_t handle_ = 0;
};

}  // namespace lanescope::gpu
