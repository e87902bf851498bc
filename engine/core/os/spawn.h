#pragma once
// Starts programs without a shell, and controls them.

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

// The process group of the new process: the caller's, or one of its own, which can be killed together with everything
// that it started (not on Windows).
enum class ProcessGroup : std::uint8_t { ours, own };

// Starts the program at the path command[0] with this process's environment and no blocked signals. It gets the listed
// descriptors, copied in this order, and all others that are not close-on-exec. (On Windows it gets no others, and only
// standard input, output and error can be listed.) Returns 0 and sets `pid`, or returns errno and does not change
// `pid`. `command` is not empty.
int spawn(const std::vector<std::string>& command, std::initializer_list<PassedDescriptor> descriptors, int& pid,
          ProcessGroup group = ProcessGroup::ours);

// The same for a program that must not outlive this process: the system kills it when the calling thread ends, for
// whatever reason. The calling thread must wait for it.
int spawn_not_to_outlive_us(const std::vector<std::string>& command, int& pid);
// The same with descriptors and a group as for spawn(), and in this folder; empty: the current one.
struct ChildSetting {
  std::vector<PassedDescriptor> descriptors;
  ProcessGroup group = ProcessGroup::ours;
  std::string folder;
};
int spawn_not_to_outlive_us(const std::vector<std::string>& command, const ChildSetting& setting, int& pid);
// The same for a program that has to clean up, such as srun, and for any calling thread, which need not wait: when this
// process ends, for whatever reason, the system asks the program to end. On Windows it kills it.
int spawn_to_end_with_us(const std::vector<std::string>& command, const ChildSetting& setting, int& pid);

// Ends it immediately. On Windows ask_to_end() does so too, because there is no request to end.
void kill_process(int pid);
// The same for a process in a group of its own, with all that is in the group.
void kill_group(int pid);
void ask_to_end(int pid);

// For a process that this one started. `gone`: its end has already been queried. Never waits.
enum class Life : std::uint8_t { goes_on, ended, gone };
Life life_of(int pid, ProcessEnd& end);

// A pipe that started programs do not inherit unless it is listed. Returns 0 or errno.
int open_pipe(Descriptor& read_end, Descriptor& write_end);

}  // namespace lanescope
