#include "gui/end_of_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "core/os/dynamic_library.h"
#include "gui/kit/display.h"

namespace lanescope::gui {
namespace {

constexpr int signals[] = {SIGTERM, SIGINT, SIGHUP};

std::atomic<bool> signalled = false;
int pipe_ends[2] = {-1, -1};
std::thread watcher;
std::thread::id owner;
std::function<void()> save_all;
struct sigaction before[std::size(signals)];

using IoErrorHandler = int (*)(void* display);
IoErrorHandler handler_before = nullptr;

// Sets Xlib's handler and returns the former one. GLFW loads Xlib at run time; returns nullptr if it did not.
IoErrorHandler set_io_error_handler(IoErrorHandler handler) {
  IoErrorHandler (*set)(IoErrorHandler) = nullptr;
  return DynamicLibrary::opened_elsewhere("libX11.so.6").find("XSetIOErrorHandler", set) ? set(handler) : nullptr;
}

int display_is_gone(void*) {
  if (std::this_thread::get_id() == owner) save_all();
  ::_exit(1);
}

void on_signal(int) {
  signalled = true;
  const char byte = 's';
  [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &byte, 1);
}

}  // namespace

EndOfProcess::EndOfProcess(std::function<void()> save) {
  signalled = false;
  save_all = std::move(save);
  owner = std::this_thread::get_id();
  handler_before = set_io_error_handler(display_is_gone);
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return;
  // A signal handler must not call Display::wake(), so this thread does.
  watcher = std::thread([] {
    char byte = 0;
    while (::read(pipe_ends[0], &byte, 1) == 1 && byte == 's') Display::wake();
  });
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (std::size_t i = 0; i < std::size(signals); ++i) ::sigaction(signals[i], &action, &before[i]);
}

EndOfProcess::~EndOfProcess() {
  set_io_error_handler(handler_before);
  if (!watcher.joinable()) return;
  for (std::size_t i = 0; i < std::size(signals); ++i) ::sigaction(signals[i], &before[i], nullptr);
  ::close(pipe_ends[1]);
  watcher.join();
  ::close(pipe_ends[0]);
}

bool EndOfProcess::asked() const {
  return signalled;
}

}  // namespace lanescope::gui
