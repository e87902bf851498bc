#pragma once
// One launch of a run that goes through several, as an outcome of its own: what is asked of a run's first launch (to
// record itself, to be counted, to be compared) can then be asked of each.

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

// Every time that a kernel is launched, in order: launch 1, then the request's launches one by one. An index into it is
// called an execution.
std::vector<WhichLaunch> executions(const Outcome& outcome);
// The first time of a launch; it must be launched at all.
std::size_t first_execution(const Outcome& outcome, int launch);
// Representative executions: all of them where there are at most `most`; else the first, the first of each kernel and
// shape as far as there is room, and the last. Ascending.
std::vector<std::size_t> telling_executions(const Outcome& outcome, std::size_t most = 16);

struct OneLaunch {
  std::size_t execution = 0;
  WhichLaunch which;
  // As if this launch were a run: its kernel, shape, PTX and trace, not summed over repeats. The request's arguments
  // are the kernel's parameters, its buffers those that the kernel does not take; the texts of buffers are those of the
  // whole run, whose memory this launch does not start from. Outcome::arguments: after this launch.
  Outcome outcome;
  // Of each of the arguments and then the buffers: which of the whole run's it is, and how many bytes behind that one's
  // pointer; -1: a scalar of its own. Two arguments may be one buffer.
  struct Place {
    int of_whole = -1;
    std::uint64_t offset = 0;
  };
  std::vector<Place> places;
  bool start_rounds = false;  // some launch before it rounds_by_order()
};

// The interpreter goes through the run again up to this execution, for what memory then holds. Errors: the run's.
Result<OneLaunch> one_launch(const Outcome& whole, std::size_t execution);

// The memory of the whole run (its arguments and then its buffers), as this launch takes it. Errors: make_argument().
Result<std::vector<sim::Argument>> arranged(const OneLaunch& one, const std::vector<sim::Argument>& memory);

// It has a floating-point atomic: the order of its terms, and thus the rounding, depends on timing.
bool rounds_by_order(const trace::Trace& trace);

}  // namespace lanescope::job
