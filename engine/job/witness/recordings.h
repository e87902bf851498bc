#pragma once
// Runs all passes of a kernel that records itself. Internal to job/.

#include <functional>
#include <optional>

#include "job/witness/verify.h"

namespace lanescope::job {

// Sets the agreement's records, recording_kept_result and diagnostics. Sets `recorded` if the passes cover the whole
// launch. Calls `goes_on` before each pass; false skips the rest.
void add_recordings(Agreement& agreement, std::optional<trace::Trace>& recorded, const Outcome& interpreted,
                    const GpuRun& plain, gpu::Session& session, const RecordingLimits& limits,
                    const std::function<bool()>& goes_on);

}  // namespace lanescope::job
