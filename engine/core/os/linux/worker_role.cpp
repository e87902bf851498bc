#include "core/os/worker_role.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "core/os/pipes.h"

namespace lanescope {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace

void ignore_broken_pipes() {
  ::signal(SIGPIPE, SIG_IGN);
}

void become_a_worker() {
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM}) ::signal(signal, SIG_DFL);
  const rlimit no_core{1, 1};  // with 0, a program that collects core files would still be started (core(5))
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    (void)!::write(file, "900", 3);
    ::close(file);
  }
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0 && !sanitized)
    ::dup2(nowhere, STDERR_FILENO);
#ifdef SYS_close_range
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);  // descriptors that the parent had open for itself
#endif
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
