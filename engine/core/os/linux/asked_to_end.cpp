#include "core/os/asked_to_end.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <iterator>
#include <mutex>
#include <thread>

namespace lanescope {
namespace {

constexpr int signals_of_the_end[] = {SIGTERM, SIGINT, SIGHUP};

// Globals, because a signal handler can reach nothing else.
std::atomic<bool> end_is_asked = false;
int end_pipe[2] = {-1, -1};

void on_end_signal(int) {
  end_is_asked = true;
  const char byte = 's';
  [[maybe_unused]] const ssize_t written = ::write(end_pipe[1], &byte, 1);
}

volatile std::sig_atomic_t delayed_signal = 0;
std::mutex delay_guard;
int delays = 0;
std::array<bool, std::size(signals_of_the_end)> delayed_by_us;

void remember_signal(int signal) {
  delayed_signal = signal;
}

}  // namespace

struct AskedToEnd::State {
  std::function<void()> wake;
  std::thread watcher;
  struct sigaction before[std::size(signals_of_the_end)];
};

AskedToEnd::AskedToEnd(std::function<void()> wake) : state_(std::make_unique<State>()) {
  end_is_asked = false;
  state_->wake = std::move(wake);
  if (::pipe2(end_pipe, O_CLOEXEC) != 0) return;
  // A signal handler may call hardly any function, so a thread calls `wake`.
  state_->watcher = std::thread([state = state_.get()] {
    char byte = 0;
    while (::read(end_pipe[0], &byte, 1) == 1 && byte == 's') state->wake();
  });
  struct sigaction action {};
  action.sa_handler = on_end_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (std::size_t i = 0; i < std::size(signals_of_the_end); ++i)
    ::sigaction(signals_of_the_end[i], &action, &state_->before[i]);
}

AskedToEnd::~AskedToEnd() {
  if (!state_->watcher.joinable()) return;
  for (std::size_t i = 0; i < std::size(signals_of_the_end); ++i)
    ::sigaction(signals_of_the_end[i], &state_->before[i], nullptr);
  ::close(end_pipe[1]);
  state_->watcher.join();
  ::close(end_pipe[0]);
}

bool AskedToEnd::asked() const {
  return end_is_asked;
}

EndLater::EndLater() {
  const std::lock_guard lock(delay_guard);
  if (delays++ > 0) return;
  delayed_signal = 0;
  for (std::size_t i = 0; i < std::size(signals_of_the_end); ++i) {
    struct sigaction before {
    }, action{};
    ::sigaction(signals_of_the_end[i], nullptr, &before);
    delayed_by_us[i] = before.sa_handler == SIG_DFL;
    if (!delayed_by_us[i]) continue;
    action.sa_handler = remember_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(signals_of_the_end[i], &action, nullptr);
  }
}

EndLater::~EndLater() {
  const std::lock_guard lock(delay_guard);
  if (--delays > 0) return;
  for (std::size_t i = 0; i < std::size(signals_of_the_end); ++i)
    if (delayed_by_us[i]) ::signal(signals_of_the_end[i], SIG_DFL);
  if (const int signal = delayed_signal; signal != 0) ::raise(signal);
}

bool EndLater::asked() {
  return delayed_signal != 0;
}

}  // namespace lanescope
