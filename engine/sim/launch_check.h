#pragma once
// Checks whether a launch is possible.

#include "core/architecture.h"
#include "core/diagnostic.h"
#include "sim/launch.h"

namespace lanescope::sim {

// Blocks of that size that fit on the whole device at the same time. Ignores registers, because only ptxas knows how
// many a kernel uses.
std::uint64_t resident_blocks(const MultiprocessorLimits& limits, const trace::Launch& launch,
                              std::uint32_t multiprocessors);

// The request's launch, completed from the kernel's code: static shared memory, and __cluster_dims__ if the request has
// no clusters.
trace::Launch whole_launch(const Program& program, const LaunchRequest& request);
// The same for a launch that is not a request yet; `cluster_given`: as in LaunchRequest.
trace::Launch whole_launch(const Program& program, const trace::Launch& launch, bool cluster_given);
Dim3 declared_cluster(const ptx::Function& kernel);  // __cluster_dims__; zeros: none

// `launch` is whole_launch(). Without an error the launch can run. check_shape() does not check arguments.
Diagnostics check_shape(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch);
Diagnostics check_launch(const ptx::Function& kernel, const LaunchRequest& request, const trace::Launch& launch);

}  // namespace lanescope::sim
