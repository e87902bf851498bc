#pragma once
// All passes of a kernel that records itself. Internal to job/.

#include <functional>
#include <optional>

#include "job/witness/verify.h"

namespace lanescope::job {

// Fills in the agreement's records, recording_kept_result and diagnostics; `recorded` is made when the passes hold the
// whole launch. Asks `goes_on` before each pass; false = leave out what is left.
void add_recordings(Agreement& agreement, std::optional<trace::Trace>& recorded, const Outcome& interpreted,
                    const GpuRun& plain, gpu::Session& session, const RecordingLimits& limits,
                    const std::function<bool()>& goes_on);

}  // namespace lanescope::job
