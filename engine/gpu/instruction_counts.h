#pragma once
// Counts what each machine instruction does, through CUPTI's SASS metrics. Internal to gpu/.

#include <functional>
#include <string>
#include <vector>

#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

// `run_once` is called once. The module is loaded; the context is current. `run_once` may throw CudaError. Works once
// in a process: CUPTI 13.0 refuses a second time (CUPTI_ERROR_OUT_OF_MEMORY). Diagnostics: those of count_with_cupti().
Result<CountedInstructions> count_instructions(CUcontext context, int device_index,
                                               const std::vector<std::string>& metrics,
                                               const std::function<void()>& run_once);

}  // namespace lanescope::gpu
