#pragma once
// Starts a program without a shell.

#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace lanescope {

struct PassedDescriptor {
  int ours = -1, in_child = -1;
};

// Of the new process: the caller's, or one of its own, which can be killed with all that it started.
enum class ProcessGroup : unsigned char { ours, own };

// Starts the program at the path command[0], with this process's environment and no signal blocked. It gets the listed
// descriptors, copied in this order, and of the others those that are not close-on-exec. Returns 0 and sets `pid`, or
// returns the system's reason (errno) and leaves `pid` alone. `command` is not empty.
int spawn(const std::vector<std::string>& command, std::initializer_list<PassedDescriptor> descriptors, pid_t& pid,
          ProcessGroup group = ProcessGroup::ours);

// The same, for a program that must not outlive this process: the kernel kills it when the calling thread ends, however
// that comes. The caller's thread waits for it.
int spawn_not_to_outlive_us(const std::vector<std::string>& command, pid_t& pid);

}  // namespace lanescope
