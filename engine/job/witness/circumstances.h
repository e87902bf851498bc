#pragma once
// Evidence about a launch from its recordings and two plain runs. Internal to job/.

#include <vector>

#include "job/witness/reasons.h"

namespace lanescope::job {

// Everything except what the PTX tells (Circumstances::ptx) and the recorded trace.
Circumstances circumstances_of(const std::vector<RecordComparison>& records, const trace::Trace& interpreted,
                               const GpuRun& plain);

}  // namespace lanescope::job
