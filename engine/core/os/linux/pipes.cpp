#include "core/os/pipes.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace lanescope {

bool readable(int descriptor, int milliseconds) {
  pollfd one{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&one, 1, milliseconds) > 0;
}

std::ptrdiff_t read_arrived(int descriptor, void* to, std::size_t bytes) {
  ssize_t got = 0;
  while ((got = ::read(descriptor, to, bytes)) < 0 && errno == EINTR) {
  }
  return got;
}

void make_roomy(int pipe) {
  constexpr int roomy = 1 << 20;
  ::fcntl(pipe, F_SETPIPE_SZ, roomy);
}

struct BrokenPipesAreErrors::Before {
  sigset_t pipe{}, mask{};
};

BrokenPipesAreErrors::BrokenPipesAreErrors() : before_(std::make_unique<Before>()) {
  ::sigemptyset(&before_->pipe);
  ::sigaddset(&before_->pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &before_->pipe, &before_->mask);
}

BrokenPipesAreErrors::~BrokenPipesAreErrors() {
  const timespec at_once{};
  if (!::sigismember(&before_->mask, SIGPIPE)) ::sigtimedwait(&before_->pipe, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before_->mask, nullptr);
}

}  // namespace lanescope
