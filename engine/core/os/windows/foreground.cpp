#include "core/os/foreground.h"

#include <windows.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/os/spawn.h"

namespace lanescope {
namespace {

std::atomic<int> event_that_came = 0;

// The console also sends the event to the program in the foreground.
BOOL WINAPI remember_event(DWORD) {
  event_that_came = static_cast<int>(STATUS_CONTROL_C_EXIT);
  return TRUE;
}

}  // namespace

void hand_signals_on() {
  ::SetConsoleCtrlHandler(remember_event, TRUE);
}

int signal_that_came() {
  return event_that_came;
}

int run_in_foreground(const std::vector<std::string>& command, ProcessEnd& end) {
  int pid = -1;
  if (const int failed = spawn_not_to_outlive_us(command, pid); failed != 0) return failed;
  while (life_of(pid, end) == Life::goes_on) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return 0;
}

}  // namespace lanescope
