#pragma once
// Opens a GPU, here or elsewhere, for a subcommand. It runs in a worker process, so a faulting kernel becomes a
// diagnostic.

#include <memory>
#include <string>

#include "gpu/gpu.h"

namespace lanescope::cli {

// `device` as in `--device`: "gpu", "ssh:HOST", "slurm:PARTITION". Until a remote GPU answers, the messages of ssh and
// Slurm go to standard error. Diagnostics: those of gpu::where_from(), open_in_worker(), open_elsewhere().
Result<std::unique_ptr<gpu::Session>> open_gpu(const std::string& device, int index);
Result<std::vector<gpu::Device>> devices_at(const std::string& device);

// Diagnostics if this machine has no GPU, to report before a command starts long work. A remote GPU is not checked
// here, because that takes a connection.
Diagnostics no_gpu(const std::string& device);

}  // namespace lanescope::cli
