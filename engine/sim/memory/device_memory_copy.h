#pragma once
// A copy of device memory for a run that must not change the original: a launch that is executed again or examined.

#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "sim/memory/device_memory.h"
#include "sim/memory/texture.h"

namespace lanescope::sim {

struct FreeBytes {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using ZeroedBytes = std::unique_ptr<std::byte[], FreeBytes>;
// `bytes` zeros, which use no memory until they are written. Throws std::bad_alloc.
ZeroedBytes zeroed_bytes(std::uint64_t bytes);

class DeviceMemoryCopy {
 public:
  // `textures`: objects on these allocations; may be null. Throws std::bad_alloc.
  DeviceMemoryCopy(std::span<DeviceAllocation* const> of, const std::vector<TextureObject>* textures);

  std::span<DeviceAllocation* const> memory() const { return memory_; }
  const std::shared_ptr<const std::vector<TextureObject>>& textures() const { return textures_; }

 private:
  std::vector<ZeroedBytes> bytes_;
  std::vector<std::unique_ptr<DeviceAllocation>> owned_;
  DeviceMemory memory_;
  std::shared_ptr<const std::vector<TextureObject>> textures_;
};

}  // namespace lanescope::sim
