#include "core/os/worker_role.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include "core/os/child_process.h"

namespace lanescope {
namespace {

constexpr int standard_output_number = 1, standard_errors_number = 2;

// Discards what is printed to `descriptor`.
bool silence(int descriptor) {
  const int nowhere = ::_open("NUL", _O_WRONLY | _O_BINARY | _O_NOINHERIT);
  if (nowhere < 0) return false;
  const bool done = ::_dup2(nowhere, descriptor) == 0;
  ::_close(nowhere);
  return done;
}

}  // namespace

void ignore_broken_pipes() {}

// A worker inherits only its three streams (spawn.cpp).
void become_a_worker() {
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  ::SetConsoleCtrlHandler(nullptr, TRUE);
  silence(standard_errors_number);
}

int apart_from_standard_output(int output) {
  if (output != standard_output_number) return output;
  const int own = ::_dup(output);
  if (own < 0 || !silence(standard_output_number)) return output;
  ::_setmode(own, _O_BINARY);
  return own;
}

}  // namespace lanescope
