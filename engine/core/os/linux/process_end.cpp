#include "core/os/process_end.h"

#include <csignal>
#include <cstring>

#include "core/worded.h"

namespace lanescope {

Wording name_of_signal(int signal) {
  struct Row {
    int number;
    const char* name;
  };
  static constexpr Row rows[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGABRT, "SIGABRT"}, {SIGILL, "SIGILL"},
                                 {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}};
  for (const Row& row : rows)
    if (row.number == signal) return std::string(row.name);
  return worded("signal {}", signal);
}

std::string described_signal(int signal) {
  return ::strsignal(signal);
}

bool is_asked_for(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGPIPE;
}

bool comes_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGXCPU;
}

}  // namespace lanescope
