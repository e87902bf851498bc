#pragma once
// The parent's handle of a worker process, which runs here or behind ssh or Slurm. Internal to gpu/.

#include <functional>
#include <string>
#include <vector>

#include "core/diagnostic.h"
#include "core/os/child_process.h"
#include "core/os/descriptor.h"
#include "gpu/where.h"
#include "gpu/worker.h"

namespace lanescope::gpu {

class WorkerProcess {
 public:
  WorkerProcess(std::vector<std::string> command, std::function<Wish()> wish)
      : command_(std::move(command)), wish_(std::move(wish)) {}
  WorkerProcess(Where where, std::function<void(const std::string&)> tell, std::function<Wish()> wish)
      : where_(std::move(where)), command_(worker_command(where_)), tell_(std::move(tell)), wish_(std::move(wish)) {}
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Starts the process. For a remote worker, waits for its greeting. Diagnostics: gpu.worker_lost, gpu.unreachable,
  // gpu.other_version, gpu.cancelled.
  Diagnostics start();
  bool running() const { return child_.running(); }
  void stop();
  Wire& wire() { return child_.wire(); }
  const Where& where() const { return where_; }
  Wish wish() const { return wish_ ? wish_() : Wish::go_on; }
  // The diagnostic if the connection ended in the middle of a request.
  Diagnostic loss() const;
  // The diagnostic if an answer is not what was asked for. Code: gpu.bad_answer.
  Diagnostic damage() const;

 private:
  Diagnostics await_greeting();
  // The last lines of its standard error, where ssh and srun state why they end.
  std::string last_words() const;

  Where where_;
  std::vector<std::string> command_;
  std::function<void(const std::string&)> tell_;
  std::function<Wish()> wish_;
  ChildProcess child_;
  Descriptor said_;  // a file in memory, of a worker elsewhere
};

// What a worker says about its machine, with the place of that machine.
Diagnostics told_by(const Where& where, Diagnostics errors);
Diagnostic lost_diagnostic();
Diagnostic cancelled();

}  // namespace lanescope::gpu
