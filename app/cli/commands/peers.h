#pragma once
// Runs another interpreter on the same kernels, for comparison: Oclgrind with one thread.

#include <string>
#include <vector>

#include "core/result.h"

namespace lanescope::cli {

struct PeerTime {
  std::string kernel;
  double seconds = 0;  // of the kernel alone, measured by the peer around its launch
};

// Runs bench/peers/kernels.cl under `oclgrind --num-threads 1` and checks each result. Takes a minute or two. Errors:
// peer.missing (Oclgrind or the OpenCL program is missing; the cure names the packages), peer.failed.
Result<std::vector<PeerTime>> run_oclgrind(const std::vector<std::string>& kernels);

}  // namespace lanescope::cli
