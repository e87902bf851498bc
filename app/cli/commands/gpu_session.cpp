#include "cli/commands/gpu_session.h"

#include "gpu/worker.h"

namespace lanescope::cli {

Result<std::unique_ptr<gpu::Session>> open_gpu(int device_index) {
  return gpu::open_in_worker(gpu::own_worker_command(), device_index);
}

}  // namespace lanescope::cli
