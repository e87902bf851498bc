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

  // The wire is the child's standard input and output. Of other descriptors the child gets only standard error. Returns
  // 0 or errno. When a child reads the end of its standard input, its parent is gone, and it must exit.
  // `standard_error`: a descriptor to use instead of this process's.
  int start(const std::vector<std::string>& command, int standard_error = 2);
  // The same for a child that does not read its standard input, such as an srun whose job waits: it is asked to end
  // when this process ends.
  int start_to_end_with_us(const std::vector<std::string>& command, int standard_error);
  bool running() const { return pid_ > 0; }
  int pid() const { return pid_; }
  Wire& wire() { return wire_; }

  // Kills it and closes the wire.
  void stop();
  // The same for a child that has to clean up, such as srun: it gets SIGTERM and one second to end.
  void stop_gently();
  // For output before the wire's first message.
  int from_child() const { return from_child_; }
  // For a child that closed its end of the wire: waits briefly for its end. nullopt if it did not end and had to be
  // killed.
  std::optional<ProcessEnd> ended();

 private:
  int start(const std::vector<std::string>& command, int standard_error, bool ends_with_us);
  void close_wire();

  int pid_ = -1;
  int to_child_ = -1, from_child_ = -1;
  Wire wire_;
};

// For the worker's side: a descriptor for answers that go to `output`. If `output` is the standard output, this is a
// new descriptor, and anything else that is printed to standard output is discarded. Otherwise it would be mixed with
// the answers.
int apart_from_standard_output(int output);

}  // namespace lanescope
