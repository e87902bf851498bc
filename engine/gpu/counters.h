#pragma once
// Reads hardware counters in this process through CUPTI's range profiler (loaded at run time). Internal to gpu/.

#include <functional>
#include <string>
#include <vector>

#include "gpu/driver_api.h"

namespace lanescope::gpu {

// Returns the values of `metrics` (Nsight Compute's names) over one kernel, in the same order. The hardware counts only
// a few events at a time, so the kernel runs once per pass. `run_once` must do exactly the same work each time. It is
// called with the context current and may throw CudaError. `passes` receives the number of passes. Diagnostics:
// gpu.no_counters (CUPTI is missing), those of counter_refusal().
Result<std::vector<double>> count(CUcontext context, int device_index, const std::vector<std::string>& metrics,
                                  const std::function<void()>& run_once, int& passes);

}  // namespace lanescope::gpu
