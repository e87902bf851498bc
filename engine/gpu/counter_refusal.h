#pragma once
// Turns CUPTI's errors into diagnostics with a cure. Needs none of NVIDIA's headers. Internal to gpu/.

#include "core/result.h"

namespace lanescope::gpu {

// `result`: the CUptiResult that `call` ended with; `meaning`: CUPTI's own words for it. gpu.counters_forbidden:
// somebody may allow it, and the cure says who and how. gpu.counters_failed: all else.
Diagnostic counter_refusal(int result, const char* call, const char* meaning);

}  // namespace lanescope::gpu
