#pragma once
// The lower bound of all times: the time between the two events for a kernel that does nothing.

#include "gpu/gpu.h"

namespace lanescope::job {

// One block of one warp. The session then holds that kernel: load another before it is run again. Diagnostics: those of
// compiler.h and gpu.h.
Result<gpu::Timing> time_empty_launch(gpu::Session& session, const gpu::TimingOptions& options);

}  // namespace lanescope::job
