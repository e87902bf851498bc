#pragma once
// Turns CUPTI errors into diagnostics with a cure. Needs no NVIDIA header. Internal to gpu/.

#include "core/result.h"

namespace lanescope::gpu {

// `result`: the CUptiResult that `call` returned; `meaning`: CUPTI's description of it. Returns gpu.counters_forbidden
// if an administrator can allow the counters (the cure says how), gpu.counters_busy while another program reads them,
// and gpu.counters_failed otherwise.
Diagnostic counter_refusal(int result, const char* call, const char* meaning);

}  // namespace lanescope::gpu
