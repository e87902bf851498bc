#include "cli/gpu_session.h"

#include <filesystem>

#include "gpu/worker.h"

namespace lanescope::cli {

Result<std::unique_ptr<gpu::Session>> open_gpu(int device_index) {
  std::error_code ignored;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  return gpu::open_in_worker({self, "gpu-worker"}, device_index);
}

}  // namespace lanescope::cli
