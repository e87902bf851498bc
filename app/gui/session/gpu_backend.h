#pragma once
// The interface to GPUs of this and other machines. Normally the worker process implements it; tests use an
// implementation that fails, hangs or crashes on demand.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gui/window.h"
#include "job/witness/gpu_stages.h"

namespace lanescope::gui {

class GpuBackend {
 public:
  virtual ~GpuBackend() = default;

  // The following functions are called off the frame, from one thread, and may take seconds.
  // Diagnostics: gpu.no_driver, gpu.driver_too_old, gpu.no_device, gpu.worker_lost.
  virtual Result<std::vector<gpu::Device>> devices() = 0;
  // The GPUs of another machine, "ssh:lab3"; see gpu::devices_elsewhere().
  virtual Result<std::vector<gpu::Device>> devices_at(const std::string& place,
                                                      const std::function<void(const std::string&)>& tell,
                                                      const std::function<bool()>& keep_going) = 0;
  // See job::run_in_stages(). If `keep_going` returns false, it returns within about a second, if necessary by
  // replacing the worker.
  virtual Result<job::GpuReport> run(const job::Outcome& interpreted, const gpu::Device& device,
                                     const job::GpuStageOptions& options,
                                     const std::function<void(const job::GpuSoFar&)>& tell,
                                     const std::function<bool()>& keep_going) = 0;
  // See job::verify_launch(), also for `tell`. Ends in the same way as run().
  virtual Result<job::LaunchReport> run_launch(const job::Outcome& whole, std::size_t execution,
                                               const gpu::Device& device,
                                               const std::function<void(const job::LaunchReport&)>& tell,
                                               const std::function<bool()>& keep_going) = 0;
  // Opens the device, so that the first run starts faster.
  virtual void warm_up(const gpu::Device& device) = 0;
  // Callable from any thread: ends current work at once and refuses new work.
  virtual void close() = 0;
};

}  // namespace lanescope::gui
