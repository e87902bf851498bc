#pragma once
// What the device reports about itself: the properties of the imitated GPU, except for what the interpreter cannot do.

#include <cstdint>
#include <optional>

#include "core/dim3.h"
#include "device/status.h"

namespace lanescope::device {

class Device;
struct Kernel;
struct LaunchShape;

inline constexpr const char* device_name = "NVIDIA H200 (imitated by Lanescope)";
inline constexpr const char* device_uuid = "lanescope-device";  // 16 bytes
inline constexpr int driver_version = 13000;

// `number` is a value of cudaDeviceAttr and CUdevice_attribute. nullopt if it does not exist.
std::optional<int> attribute(const Device& device, int number);

// What a kernel needs and what it allows.
struct KernelAttributes {
  int static_shared_bytes = 0;
  int registers = 0, constant_bytes = 0, local_bytes = 0;  // of the machine code; 0 if not known
  int barriers = 0;                                        // of a block; likewise
  int most_threads = 0;               // per block: limited by __launch_bounds__ and similar, and by registers
  int most_dynamic_shared_bytes = 0;  // the current limit
  Dim3 required_cluster{0, 0, 0};     // __cluster_dims__; zeros: none
};
Status attributes_of(Device& device, Kernel& kernel, KernelAttributes& to);
// `number` is a value of cudaFuncAttribute and CUfunction_attribute.
Status set_attribute(Device& device, Kernel& kernel, int number, int value);

// Blocks of a kernel that fit on a multiprocessor at the same time. Registers and barriers are taken into account if
// they are known.
Status resident_blocks(Device& device, Kernel& kernel, int block_threads, std::uint64_t dynamic_shared_bytes,
                       int* blocks);
// The most dynamic shared memory per block with which so many blocks of a kernel are resident. invalid_value if they
// are not even without any.
Status shared_memory_left(Device& device, Kernel& kernel, int blocks, int block_threads, std::uint64_t* bytes);
// The most blocks that a cluster of this kernel may have; 0 if not even one block of that shape can run.
Status most_blocks_of_cluster(Device& device, Kernel& kernel, const LaunchShape& shape, int* blocks);
// Clusters of the shape that fit on the device at the same time, as if it were one pool of multiprocessors. (On a GPU a
// cluster stays within a GPC, so the real number may be smaller; this is reported once.)
Status resident_clusters(Device& device, Kernel& kernel, const LaunchShape& shape, int* clusters);

// Whether a PCI address is the device's, 0000:00:00.0, in any of CUDA's forms: "domain:bus:device.function",
// "domain:bus:device" or "bus:device.function", in hexadecimal digits. invalid_device: another's. invalid_value: no
// address.
Status find_bus_id(const char* text);

}  // namespace lanescope::device
