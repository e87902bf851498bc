#include "core/os/foreground.h"

#include <csignal>

#include "core/os/linux/wait_for.h"
#include "core/os/spawn.h"

namespace lanescope {
namespace {

volatile std::sig_atomic_t program_running = -1, last_signal = 0;

// A terminal sends its signals to all processes in the foreground, so the program gets them too. A signal from another
// process arrives only here and must be forwarded.
void hand_on(int signal, siginfo_t* info, void*) {
  const bool from_terminal = info->si_code == SI_KERNEL;
  last_signal = signal;
  if (program_running > 0 && !from_terminal) ::kill(program_running, signal);
}

}  // namespace

void hand_signals_on() {
  struct sigaction action {};
  action.sa_sigaction = hand_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) ::sigaction(signal, &action, nullptr);
}

int signal_that_came() {
  return last_signal;
}

int run_in_foreground(const std::vector<std::string>& command, ProcessEnd& end) {
  int pid = -1;
  if (const int failed = spawn_not_to_outlive_us(command, pid); failed != 0) return failed;
  program_running = pid;
  end = wait_for(pid);
  program_running = -1;
  return 0;
}

}  // namespace lanescope
