#pragma once
// A GPU for a subcommand: in a worker process, so that a faulting kernel ends as a diagnostic; here or elsewhere.

#include <memory>
#include <string>

#include "gpu/gpu.h"

namespace lanescope::cli {

// `device` as `--device` has it: "gpu", "ssh:HOST", "slurm:PARTITION". What ssh and Slurm say while a GPU elsewhere
// does not answer yet goes to standard error. Diagnostics: those of gpu::where_from(), open_in_worker(),
// open_elsewhere().
Result<std::unique_ptr<gpu::Session>> open_gpu(const std::string& device, int index);
Result<std::vector<gpu::Device>> devices_at(const std::string& device);

// Whether a command can go on to what takes long: no GPU here is told at once. A GPU elsewhere is only asked when it is
// needed, since that takes a connection.
Diagnostics no_gpu(const std::string& device);

}  // namespace lanescope::cli
