#pragma once
// Whether a launch can be made at all.

#include <string>

#include "core/diagnostic.h"
#include "sim/launch.h"

namespace lanescope::sim {

// What a multiprocessor of an architecture offers. Source: "CUDA C++ Programming Guide", technical specifications per
// compute capability. Registers are not in it: how many a kernel needs is known to ptxas only.
struct DeviceLimits {
  std::uint32_t threads = 2048;               // resident on a multiprocessor
  std::uint32_t blocks = 32;
  std::uint32_t shared_bytes = 228 * 1024;    // of a multiprocessor
  std::uint32_t block_shared_bytes = 227 * 1024;
};
DeviceLimits limits_of(const std::string& arch);

// Blocks of that size that fit on the whole device at once.
std::uint64_t resident_blocks(const DeviceLimits& limits, const trace::Launch& launch, std::uint32_t multiprocessors);

// launch.static_shared_bytes must be filled in. No error = it can run.
Diagnostics check_launch(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch);

}  // namespace lanescope::sim
