#include "core/os/child_process.h"

#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>

#include "core/os/descriptor.h"
#include "core/os/spawn.h"

namespace lanescope {
namespace {

constexpr int standard_input = 0, standard_output = 1, standard_errors = 2;

void wait_a_millisecond() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// A process whose kernel hangs ends only after the driver has torn the kernel down. Nobody should wait for that: a
// process that has not ended after a moment is checked again on the next call.
void reap(int ended) {
  static std::mutex guard;
  static std::vector<int> left;
  const std::lock_guard lock(guard);
  ProcessEnd ignored;
  std::erase_if(left, [&](int pid) { return life_of(pid, ignored) != Life::goes_on; });
  for (int tries = 0; tries < 100; ++tries) {
    if (life_of(ended, ignored) != Life::goes_on) return;
    wait_a_millisecond();
  }
  left.push_back(ended);
}

}  // namespace

int ChildProcess::start(const std::vector<std::string>& command, int standard_error) {
  return start(command, standard_error, false);
}

int ChildProcess::start_to_end_with_us(const std::vector<std::string>& command, int standard_error) {
  return start(command, standard_error, true);
}

int ChildProcess::start(const std::vector<std::string>& command, int standard_error, bool ends_with_us) {
  stop();
  if (command.empty()) return ENOENT;
  Descriptor of_child_in, of_child_out, to_child, from_child;
  if (const int reason = open_pipe(of_child_in, to_child)) return reason;
  if (const int reason = open_pipe(from_child, of_child_out)) return reason;
  const PassedDescriptor in{of_child_in.get(), standard_input}, out{of_child_out.get(), standard_output},
      errors{standard_error, standard_errors};
  const int failed = ends_with_us ? spawn_to_end_with_us(command, {.descriptors = {in, out, errors}}, pid_)
                                  : spawn(command, {in, out, errors}, pid_);
  if (failed != 0) {
    pid_ = -1;
    return failed;
  }
  to_child_ = to_child.release();
  from_child_ = from_child.release();
  wire_ = Wire(from_child_, to_child_);
  return 0;
}

void ChildProcess::close_wire() {
  if (to_child_ >= 0) close_descriptor(to_child_);
  if (from_child_ >= 0) close_descriptor(from_child_);
  to_child_ = from_child_ = -1;
  wire_ = {};
}

void ChildProcess::stop() {
  close_wire();
  if (pid_ > 0) {
    kill_process(pid_);
    reap(pid_);
  }
  pid_ = -1;
}

void ChildProcess::stop_gently() {
  close_wire();
  if (pid_ > 0) {
    ask_to_end(pid_);
    ProcessEnd ignored;
    for (int tries = 0; tries < 1000; ++tries) {
      if (life_of(pid_, ignored) != Life::goes_on) {
        pid_ = -1;
        return;
      }
      wait_a_millisecond();
    }
  }
  stop();
}

std::optional<ProcessEnd> ChildProcess::ended() {
  ProcessEnd end;
  for (int tries = 0; pid_ > 0 && tries < 1000; ++tries) {
    const Life life = life_of(pid_, end);
    if (life == Life::ended) {
      pid_ = -1;
      close_wire();
      return end;
    }
    if (life == Life::gone) break;
    wait_a_millisecond();
  }
  stop();
  return std::nullopt;
}

}  // namespace lanescope
