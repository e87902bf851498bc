#pragma once
// Hardware counters in process, through CUPTI's range profiler (loaded at run time). Internal to gpu/.

#include <functional>
#include <string>
#include <vector>

#include "gpu/driver_api.h"

namespace lanescope::gpu {

// Values of `metrics` (Nsight Compute's names) over one kernel, in their order. The kernel runs once per pass, since
// the hardware counts only a few things at a time: `run_once` must do exactly the same work each time, and is called
// with the context current; it may throw CudaError. `passes` tells how many there were. Diagnostics: gpu.no_counters
// (CUPTI is missing), those of counter_refusal().
Result<std::vector<double>> count(CUcontext context, int device_index, const std::vector<std::string>& metrics,
                                  const std::function<void()>& run_once, int& passes);

}  // namespace lanescope::gpu
