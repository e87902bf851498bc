#pragma once
// What the device answers when it is asked about itself: the imitated GPU's, but for what the interpreter cannot do.

#include <cstdint>
#include <optional>

namespace lanescope::device {

class Device;

inline constexpr const char* device_name = "NVIDIA H200 (imitated by Lanescope)";
inline constexpr int driver_version = 13000, runtime_version = 13000;

// By the number of cudaDeviceAttr, which is CUdevice_attribute's; nothing for a number that does not exist.
std::optional<int> attribute(const Device& device, int number);

// Blocks of a kernel that a multiprocessor holds at a time. Registers are ptxas's secret: they do not count.
int resident_blocks_per_multiprocessor(const Device& device, std::uint32_t static_shared_bytes,
                                       std::uint32_t block_threads, std::uint64_t dynamic_shared_bytes);

}  // namespace lanescope::device
