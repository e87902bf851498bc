#pragma once
// Runs GPU work in a separate process, which is kept warm. A kernel that faults, hangs or crashes there does not affect
// the program; the next request starts a fresh worker.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu.h"
#include "gpu/where.h"

namespace lanescope::gpu {

// A Session whose work is done by a child process, started with `command` (for this program: its own path and the
// hidden subcommand `gpu-worker`). Same contract as Session, further diagnostics:
//   gpu.worker_lost   the worker ended in the middle of a request (its GPU context was lost, or it was killed);
//                     the next request gets a new one.
//   gpu.cancelled     `wish` asked for the end of the request.
// lost() is never true: a lost worker is replaced. Cancelling: return false from time()'s keep_going.
//
// `wish` is asked, several times a second, whether a request should go on. `end_soon`: time() ends with the samples it
// has; of any other request the answer is awaited for a moment, then the worker is ended and the next request starts
// another. `end_now`: it is ended at once.
enum class Wish : std::uint8_t { go_on, end_soon, end_now };
Result<std::unique_ptr<Session>> open_in_worker(std::vector<std::string> command, int device_index,
                                                std::function<Wish()> wish = {});

// The same with a worker that is elsewhere: its GPU's Device::where says so. `tell` hears, while nothing answers yet,
// what ssh or srun says: "srun: job 42 queued and waiting for resources". A queue has no time limit; `wish` ends the
// wait. Further diagnostics: gpu.unreachable, gpu.other_version.
Result<std::unique_ptr<Session>> open_elsewhere(const Where& where, int device_index,
                                                std::function<void(const std::string&)> tell = {},
                                                std::function<Wish()> wish = {});
Result<std::vector<Device>> devices_elsewhere(const Where& where, std::function<void(const std::string&)> tell = {},
                                              std::function<Wish()> wish = {});
// Copies this program to a host of ssh, into remote_folder. Diagnostic: gpu.unreachable.
Result<std::monostate> install_elsewhere(const Where& where);

// All GPUs of this machine, as a worker sees them: a crashing driver does not affect the program. Diagnostics: those of
// devices(), gpu.worker_lost, gpu.cancelled.
Result<std::vector<Device>> devices_in_worker(std::vector<std::string> command, std::function<Wish()> wish = {});

// This program's own path and the hidden subcommand.
std::vector<std::string> own_worker_command();

// The worker's main: serves requests from `input` and answers on `output` until `input` closes. Returns an exit code.
// When `output` is the standard output, nothing else of this process comes out there any more: a kernel's printf would
// end up among the answers.
int serve(int input, int output);
// The same for one that was started from elsewhere: greets first (where.h).
int serve_elsewhere(int input, int output);

}  // namespace lanescope::gpu
