#pragma once
// The floor of all times: what a launch of a kernel that does nothing takes between the two events.

#include "gpu/gpu.h"

namespace lanescope::job {

// One block of one warp. The session then holds that kernel: load another before it is run again.
// Diagnostics: those of compiler.h and gpu.h.
Result<gpu::Timing> time_empty_launch(gpu::Session& session, const gpu::TimingOptions& options);

}  // namespace lanescope::job
