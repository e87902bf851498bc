#pragma once
// How a process ended.

#include <string>

#include "core/wording.h"

namespace lanescope {

struct ProcessEnd {
  int exit_status = 0;  // where signal is 0
  int signal = 0;       // what ended it; 0: it ended by itself
};

// "SIGSEGV", or "signal 34" where it has no name here.
Wording name_of_signal(int signal);
// The same in the system's words: "Segmentation fault".
std::string described_signal(int signal);
// Ctrl+C, or somebody asked for the end.
bool is_asked_for(int signal);

}  // namespace lanescope
