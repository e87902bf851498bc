#pragma once
// Checks whether a launch is possible.

#include "core/architecture.h"
#include "core/diagnostic.h"
#include "sim/launch.h"

namespace lanescope::sim {

// Blocks of that size that fit on the whole device at once. Registers are not looked at: how many a kernel takes is
// known to ptxas only.
std::uint64_t resident_blocks(const MultiprocessorLimits& limits, const trace::Launch& launch,
                              std::uint32_t multiprocessors);

// launch.static_shared_bytes must be filled in. No error = it can run; check_shape() says nothing of the arguments.
Diagnostics check_shape(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch);
Diagnostics check_launch(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch);

}  // namespace lanescope::sim
