#pragma once
// How a process ended.

#include <string>

#include "core/wording.h"

namespace lanescope {

struct ProcessEnd {
  int exit_status = 0;  // if signal is 0
  int signal = 0;       // the signal that ended it; 0: it exited
};

// "SIGSEGV", or "signal 34" if it has no name here.
Wording name_of_signal(int signal);
// The system's description: "Segmentation fault".
std::string described_signal(int signal);
// Whether it means that somebody requested the end, for example with Ctrl+C.
bool is_asked_for(int signal);
// Whether no program can raise it by a mistake: a user or the system ended it.
bool comes_from_outside(int signal);

}  // namespace lanescope
