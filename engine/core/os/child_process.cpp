#include "core/os/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>

#include "core/os/spawn.h"

namespace lanescope {
namespace {

// A process whose kernel hangs ends only when the driver has torn the kernel down, which nobody should wait for: what
// has not ended within a moment is asked about again at the next chance.
void reap(pid_t ended) {
  static std::mutex guard;
  static std::vector<pid_t> left;
  const std::lock_guard lock(guard);
  std::erase_if(left, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  for (int tries = 0; tries < 100; ++tries) {
    if (::waitpid(ended, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  left.push_back(ended);
}

}  // namespace

int ChildProcess::start(const std::vector<std::string>& command, int standard_error) {
  stop();
  if (command.empty()) return ENOENT;
  std::array<int, 2> down{}, up{};
  if (::pipe2(down.data(), O_CLOEXEC) != 0) return errno;
  if (::pipe2(up.data(), O_CLOEXEC) != 0) {
    const int reason = errno;
    ::close(down[0]);
    ::close(down[1]);
    return reason;
  }
  const int failed =
      spawn(command, {{down[0], STDIN_FILENO}, {up[1], STDOUT_FILENO}, {standard_error, STDERR_FILENO}}, pid_);
  ::close(down[0]);
  ::close(up[1]);
  to_child_ = down[1];
  from_child_ = up[0];
  wire_ = Wire(from_child_, to_child_);
  if (failed != 0) {
    pid_ = -1;
    stop();
  }
  return failed;
}

void ChildProcess::close_wire() {
  if (to_child_ >= 0) ::close(to_child_);
  if (from_child_ >= 0) ::close(from_child_);
  to_child_ = from_child_ = -1;
  wire_ = {};
}

void ChildProcess::stop() {
  close_wire();
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    reap(pid_);
  }
  pid_ = -1;
}

void ChildProcess::stop_gently() {
  close_wire();
  if (pid_ > 0) {
    ::kill(pid_, SIGTERM);
    for (int tries = 0; tries < 1000; ++tries) {
      if (::waitpid(pid_, nullptr, WNOHANG) != 0) {
        pid_ = -1;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  stop();
}

std::optional<int> ChildProcess::ended() {
  int status = 0;
  for (int tries = 0; pid_ > 0 && tries < 1000; ++tries) {
    const pid_t got = ::waitpid(pid_, &status, WNOHANG);
    if (got == pid_) {
      pid_ = -1;
      close_wire();
      return status;
    }
    if (got < 0 && errno != EINTR) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  stop();
  return std::nullopt;
}

int apart_from_standard_output(int output) {
  if (output != STDOUT_FILENO) return output;
  const int own = ::fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
            nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (own < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) return output;
  ::close(nowhere);
  return own;
}

}  // namespace lanescope
