#pragma once
// Slurm's job arrays: the same command many times, each time with a GPU of its own.

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/where.h"

namespace lanescope::gpu {

// All three start Slurm's own programs. Accounts, time limits and other needs of a cluster are set in Slurm's variables
// (SBATCH_ACCOUNT, SBATCH_TIMELIMIT). Diagnostic of all: gpu.unreachable, with what Slurm says.

struct JobArray {
  std::string name;  // of the job; state_of_array() finds it by this name, so it must be new
  int tasks = 1;
  std::vector<std::string> command;  // runs in the current folder; SLURM_ARRAY_TASK_ID is 0 … tasks - 1
  std::string output;                // file for what a task prints; %a is its number
};
// Returns the job's number as soon as it is in the queue.
Result<std::string> submit_array(const Where& where, const JobArray& array);

struct ArrayState {
  std::size_t waiting = 0, running = 0;  // tasks
  std::string reason;                    // why a task waits, in Slurm's words: "Resources"; may be empty
  bool ended() const { return waiting + running == 0; }
  friend bool operator==(const ArrayState&, const ArrayState&) = default;
};
// Of all jobs with this name. An array that nobody submitted has ended.
Result<ArrayState> state_of_array(const Where& where, const std::string& name);

// Ends them.
Result<std::monostate> cancel_array(const Where& where, const std::string& name);

}  // namespace lanescope::gpu
