#pragma once
// Starts a program that replaces this one in front of the user, and waits for it.

#include <string>
#include <vector>

#include "core/os/process_end.h"

namespace lanescope {

// From now on, requests to end this process (Ctrl+C, SIGTERM and similar) are remembered and forwarded to the program
// in the foreground, unless it gets them anyway.
void hand_signals_on();
// The latest of these signals; 0 if there was none.
int signal_that_came();

// The program does not outlive this process. Returns 0, or errno if it was not started.
int run_in_foreground(const std::vector<std::string>& command, ProcessEnd& end);

}  // namespace lanescope
