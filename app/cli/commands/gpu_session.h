#pragma once
// A GPU for a subcommand: in a worker process, so that a faulting kernel ends as a diagnostic.

#include <memory>

#include "gpu/gpu.h"

namespace lanescope::cli {

Result<std::unique_ptr<gpu::Session>> open_gpu(int device_index);

}  // namespace lanescope::cli
