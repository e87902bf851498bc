#pragma once
// Runs GPU work in a separate process that stays alive between requests. A kernel that faults, hangs or crashes there
// does not affect this program; the next request starts a new worker.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu.h"
#include "gpu/where.h"

namespace lanescope::gpu {

// A Session whose work is done by a child process, started with `command` (for this program: its own path and the
// hidden subcommand `gpu-worker`). Same contract as Session, plus these diagnostics:
//   gpu.worker_lost   the worker ended in the middle of a request (its GPU context was lost, or it was killed);
//                     the next request gets a new one.
//   gpu.cancelled     `wish` ended the request.
// lost() is never true, because a lost worker is replaced. To cancel time(), return false from keep_going.
//
// `wish` is polled several times per second during a request. `end_soon`: time() returns the samples it has; any other
// request gets a moment to finish, then the worker is ended, and the next request starts another. `end_now`: the worker
// is ended at once.
enum class Wish : std::uint8_t { go_on, end_soon, end_now };
Result<std::unique_ptr<Session>> open_in_worker(std::vector<std::string> command, int device_index,
                                                std::function<Wish()> wish = {});

class WorkerProcess;

// A worker on another machine: its GPUs, then a session with one of them, over one connection, which costs a second
// with ssh and a place in the queue with Slurm. Until the worker answers, `tell` receives what ssh or srun prints:
// "srun: job 42 queued and waiting for resources". A queue has no time limit; `wish` can end the wait. Further
// diagnostics: gpu.unreachable, gpu.other_version.
class Reached {
 public:
  static Result<Reached> reach(const Where& where, std::function<void(const std::string&)> tell = {},
                               std::function<Wish()> wish = {});
  Reached(Reached&&) noexcept;
  Reached& operator=(Reached&&) noexcept;
  ~Reached();  // ends the worker, unless a session has it

  // Device::where names the machine.
  const std::vector<Device>& devices() const { return devices_; }
  // Gives the worker to a session: only once.
  Result<std::unique_ptr<Session>> open(int device_index) &&;

 private:
  Reached(std::unique_ptr<WorkerProcess> worker, std::vector<Device> devices);
  std::unique_ptr<WorkerProcess> worker_;
  std::vector<Device> devices_;
};
// The parts of it: a session with a GPU whose number is known, and the list of GPUs.
Result<std::unique_ptr<Session>> open_elsewhere(const Where& where, int device_index,
                                                std::function<void(const std::string&)> tell = {},
                                                std::function<Wish()> wish = {});
Result<std::vector<Device>> devices_elsewhere(const Where& where, std::function<void(const std::string&)> tell = {},
                                              std::function<Wish()> wish = {});
// Copies this program to remote_folder of an ssh host. Diagnostic: gpu.unreachable.
Result<std::monostate> install_elsewhere(const Where& where);

// All GPUs of this machine, queried by a worker, so a crashing driver does not affect this program. Diagnostics: those
// of devices(), gpu.worker_lost, gpu.cancelled.
Result<std::vector<Device>> devices_in_worker(std::vector<std::string> command, std::function<Wish()> wish = {});

// This program's own path and the hidden subcommand `gpu-worker`.
std::vector<std::string> own_worker_command();

// The worker's main loop: serves requests from `input` and answers on `output` until `input` closes. Returns an exit
// code. If `output` is the standard output, everything else that this process prints is redirected: a kernel's printf
// would corrupt the answers.
int serve(int input, int output);
// The same for a worker that was started from another machine: it sends the greeting first (where.h).
int serve_elsewhere(int input, int output);

}  // namespace lanescope::gpu
