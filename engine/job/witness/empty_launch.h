#pragma once
// The floor of all times: the time between the two events around a kernel that does nothing.

#include "gpu/gpu.h"

namespace lanescope::job {

// Launches one block of one warp. The session then holds the empty kernel: load another before the next run.
// Diagnostics: those of compiler.h and gpu.h.
Result<gpu::Timing> time_empty_launch(gpu::Session& session, const gpu::TimingOptions& options);

}  // namespace lanescope::job
