#pragma once
// Opens a GPU, here or elsewhere, for a subcommand. It runs in a worker process, so a faulting kernel becomes a
// diagnostic.

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "gpu/gpu.h"

namespace lanescope::cli {

// `device` as in `--device`: "gpu", "ssh:HOST", "slurm:PARTITION". Until a remote GPU answers, the messages of ssh and
// Slurm go to standard error. Diagnostics: those of gpu::where_from(), open_in_worker(), open_elsewhere().
Result<std::unique_ptr<gpu::Session>> open_gpu(const std::string& device, int index);
Result<std::vector<gpu::Device>> devices_at(const std::string& device);

// open_gpu() in the background, because connecting takes about as long as the interpreter. All runs of a command share
// the session: a connection through ssh takes a second, and a job of Slurm waits in a queue.
class OpeningGpu {
 public:
  // Nothing is opened for the device "cpu".
  OpeningGpu(const std::string& device, int index);
  // Waits for it. The session lives as long as this object. Diagnostics: those of open_gpu().
  Result<gpu::Session*> session();
  // The GPU's architecture, "sm_90", if it is open by now; else that of the last GPU at this place, so that kernels can
  // be compiled meanwhile. Empty if none is known.
  std::string likely_arch();

 private:
  Result<std::unique_ptr<gpu::Session>>& opened();

  std::string device_;
  std::future<Result<std::unique_ptr<gpu::Session>>> opening_;
  std::optional<Result<std::unique_ptr<gpu::Session>>> opened_;
};

// Diagnostics if this machine has no GPU, to report before a command starts long work. A remote GPU is not checked
// here, because that takes a connection.
Diagnostics no_gpu(const std::string& device);

}  // namespace lanescope::cli
