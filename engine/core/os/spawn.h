#pragma once
// Starts a program without a shell, and what one who started it can ask of it.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/os/descriptor.h"
#include "core/os/process_end.h"

namespace lanescope {

struct PassedDescriptor {
  int ours = -1, in_child = -1;
};

// Of the new process: the caller's, or one of its own, which can be killed with all that it started (not on
// Windows).
enum class ProcessGroup : std::uint8_t { ours, own };

// Starts the program at the path command[0], with this process's environment and no signal blocked. It gets the listed
// descriptors, copied in this order, and of the others those that are not close-on-exec (on Windows: none, and only the
// standard input, output and error can be listed). Returns 0 and sets `pid`, or returns the system's reason (errno) and
// leaves `pid` alone. `command` is not empty.
int spawn(const std::vector<std::string>& command, std::initializer_list<PassedDescriptor> descriptors, int& pid,
          ProcessGroup group = ProcessGroup::ours);

// The same, for a program that must not outlive this process: the system kills it when the calling thread ends, however
// that comes. The caller's thread waits for it.
int spawn_not_to_outlive_us(const std::vector<std::string>& command, int& pid);

// Ends it at once. On Windows ask_to_end() does so too: there is no word for less.
void kill_process(int pid);
void ask_to_end(int pid);

// Of a process that this one started: `gone` is one whose end was asked for before. Never waits.
enum class Life : std::uint8_t { goes_on, ended, gone };
Life life_of(int pid, ProcessEnd& end);

// A pipe that programs started from here do not inherit by themselves. 0, or the system's reason (errno).
int open_pipe(Descriptor& read_end, Descriptor& write_end);

}  // namespace lanescope
