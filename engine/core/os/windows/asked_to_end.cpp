#include "core/os/asked_to_end.h"

#include <windows.h>

#include <atomic>

namespace lanescope {
namespace {

std::atomic<bool> end_was_asked = false;
std::atomic<const std::function<void()>*> wake_on_end = nullptr;

// Called on a thread of the system. If the console or the session ends, the process ends when this returns.
BOOL WINAPI on_console_event(DWORD event) {
  const bool first = !end_was_asked.exchange(true);
  const std::function<void()>* wake = wake_on_end;
  if (!first || wake == nullptr) return FALSE;
  (*wake)();
  constexpr int patience = 50;  // the system has five seconds
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
    for (int tries = 0; tries < patience && wake_on_end != nullptr; ++tries) ::Sleep(100);
  return TRUE;
}

}  // namespace

struct AskedToEnd::State {
  std::function<void()> wake;
};

AskedToEnd::AskedToEnd(std::function<void()> wake) : state_(std::make_unique<State>()) {
  state_->wake = std::move(wake);
  end_was_asked = false;
  wake_on_end = &state_->wake;
  ::SetConsoleCtrlHandler(on_console_event, TRUE);
}

AskedToEnd::~AskedToEnd() {
  ::SetConsoleCtrlHandler(on_console_event, FALSE);
  wake_on_end = nullptr;
}

bool AskedToEnd::asked() const {
  return end_was_asked;
}

EndLater::EndLater() = default;
EndLater::~EndLater() = default;
bool EndLater::asked() {
  return false;
}

}  // namespace lanescope
