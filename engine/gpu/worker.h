#pragma once
// GPU work in a process of its own, kept warm: a kernel that faults, hangs or crashes there takes nobody else down.
// After such an end the next request starts a fresh worker by itself.

#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu.h"

namespace lanescope::gpu {

// A Session whose work is done by a child process, started with `command` (for this program: its own path and
// the hidden subcommand `gpu-worker`). Same contract as Session, further diagnostics:
//   gpu.worker_lost   the worker ended in the middle of a request (its GPU context was lost, or it was killed);
//                     the next request gets a new one.
// lost() is never true: a lost worker is replaced. Cancelling: return false from time()'s keep_going.
Result<std::unique_ptr<Session>> open_in_worker(std::vector<std::string> command, int device_index);

// The worker's main: serves requests from `input` and answers on `output` until `input` closes. Returns an exit code.
int serve(int input, int output);

}  // namespace lanescope::gpu
