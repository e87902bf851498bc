#pragma once
// Starts a program that takes this one's place in front of its user, and waits for it.

#include <string>
#include <vector>

#include "core/os/process_end.h"

namespace lanescope {

// From now on, what asks this process to end (Ctrl+C, SIGTERM and their like) is remembered, and handed on to the
// program that runs in the foreground unless it came there by itself.
void hand_signals_on();
// The latest of them; 0 when there was none.
int signal_that_came();

// It does not outlive this process. 0, or the system's reason (errno) why it was not started.
int run_in_foreground(const std::vector<std::string>& command, ProcessEnd& end);

}  // namespace lanescope
