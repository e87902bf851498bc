#pragma once
// A worker process of this program, and the wire to it.

#include <optional>
#include <string>
#include <vector>

#include "core/os/process_end.h"
#include "core/os/wire.h"

namespace lanescope {

class ChildProcess {
 public:
  ChildProcess() = default;
  ~ChildProcess() { stop(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The wire is the child's standard input and output; of other descriptors it gets only the standard error. Returns 0,
  // or the system's reason (errno). A child that finds its standard input at its end has lost its parent and is
  // expected to go.
  // `standard_error`: a descriptor in place of this process's.
  int start(const std::vector<std::string>& command, int standard_error = 2);
  bool running() const { return pid_ > 0; }
  int pid() const { return pid_; }
  Wire& wire() { return wire_; }

  // Kills it and closes the wire.
  void stop();
  // The same for one that has to clean up behind itself, such as srun: it has a second to end after a SIGTERM.
  void stop_gently();
  // For what comes before the wire's first message.
  int from_child() const { return from_child_; }
  // Of a child that closed its end of the wire: waits a moment for its end. Nothing where it goes on and was killed for
  // that.
  std::optional<ProcessEnd> ended();

 private:
  void close_wire();

  int pid_ = -1;
  int to_child_ = -1, from_child_ = -1;
  Wire wire_;
};

// For the worker's side: a descriptor for answers that go to `output`. Where that is the standard output, one of its
// own, and what else is printed there goes nowhere: it would end up among the answers.
int apart_from_standard_output(int output);

}  // namespace lanescope
