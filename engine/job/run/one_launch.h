#pragma once
// One launch of a run of several launches, as an outcome of its own. It can then be recorded, counted and compared like
// the first launch of a run.

#include <cstddef>
#include <vector>

#include "job/run/job.h"

namespace lanescope::job {

// "Launch 2 of 3, repeat 1 of 4."
struct WhichLaunch {
  int number = 1, launches = 1;
  int repeat = 1, repeats = 1;
  friend bool operator==(const WhichLaunch&, const WhichLaunch&) = default;
};

// All executions of kernels in order: launch 1, then the further launches with each repeat. An index into this list is
// called an execution.
std::vector<WhichLaunch> executions(const Outcome& outcome);
// The first execution of a launch, which must have at least one.
std::size_t first_execution(const Outcome& outcome, int launch);
// Representative executions in ascending order: all of them if there are at most `most`; else the first, the first of
// each kernel and shape as far as there is room, and the last.
std::vector<std::size_t> telling_executions(const Outcome& outcome, std::size_t most = 16);

struct OneLaunch {
  std::size_t execution = 0;
  WhichLaunch which;
  // An outcome as if this launch were a run: its kernel, shape, PTX and trace, not summed over repeats. The request's
  // arguments are the kernel's parameters; its buffers are those that the kernel does not take. The texts of buffers
  // are those of the whole run, but this launch does not start from that memory. Outcome::arguments: after this launch.
  Outcome outcome;
  // For each argument and then each buffer: its index in the whole run and the bytes added to that one's pointer; -1: a
  // scalar of the launch's own. Two arguments may be the same buffer.
  struct Place {
    int of_whole = -1;
    std::uint64_t offset = 0;
  };
  std::vector<Place> places;
  bool start_rounds = false;  // rounds_by_order() holds for some earlier launch
};

// Runs the interpreter again up to this execution, to get the contents of memory. Errors: the run's.
Result<OneLaunch> one_launch(const Outcome& whole, std::size_t execution);

// The memory of the whole run (its arguments and then its buffers) in the order of this launch. Errors: those of
// make_argument().
Result<std::vector<sim::Argument>> arranged(const OneLaunch& one, const std::vector<sim::Argument>& memory);

// True if the launch has a floating-point atomic: the order of its terms, and so the rounding, depends on timing.
bool rounds_by_order(const trace::Trace& trace);

}  // namespace lanescope::job
