#pragma once
// What the device answers when it is asked about itself: the imitated GPU's, but for what the interpreter cannot do.

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

// By the number of cudaDeviceAttr, which is CUdevice_attribute's; nothing for a number that does not exist.
std::optional<int> attribute(const Device& device, int number);

// What a kernel needs, and allows.
struct KernelAttributes {
  int static_shared_bytes = 0;
  int registers = 0, constant_bytes = 0, local_bytes = 0;  // of the machine code; 0 where nobody knows it
  int most_threads = 0;               // of a block: __launch_bounds__ and the like, and what has registers
  int most_dynamic_shared_bytes = 0;  // now
  Dim3 required_cluster{0, 0, 0};     // __cluster_dims__; zeros: none
};
Status attributes_of(Device& device, Kernel& kernel, KernelAttributes& to);
// By the number of cudaFuncAttribute, which is CUfunction_attribute's.
Status set_attribute(Device& device, Kernel& kernel, int number, int value);

// Blocks of a kernel that a multiprocessor holds at a time. Registers count where they are known.
Status resident_blocks(Device& device, Kernel& kernel, int block_threads, std::uint64_t dynamic_shared_bytes,
                       int* blocks);
// Blocks that a cluster of this kernel may have; 0 where not even one block of that shape can run.
Status most_blocks_of_cluster(Device& device, Kernel& kernel, const LaunchShape& shape, int* blocks);
// Clusters of the shape that the device holds at a time, as if it were one pool of multiprocessors. (A GPU's clusters
// each stay within a GPC, so its answer may be less; it is said once.)
Status resident_clusters(Device& device, Kernel& kernel, const LaunchShape& shape, int* clusters);

}  // namespace lanescope::device
