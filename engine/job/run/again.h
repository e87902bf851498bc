#pragma once
// A launch of a run, made ready to run once more: with the buffers and variables that it began with. Of a launch of a
// program its memory is the outcome's, and only sim/replay.h may run on it.

#include <memory>

#include "job/run/job.h"

namespace lanescope::job {

// Of launch 1, 2, … of the outcome, its first repeat. Those before it run again, whole, without a record: call it off
// the frame. Their errors, and value.no_launch.
Result<sim::LaunchRequest> launch_again(const Outcome& outcome, int launch, sim::Progress* progress = nullptr);

// Which of the repeats of a launch. The events of an outcome are the first's, its buffers what the last one left.
enum class Repeat : std::uint8_t { first, last };

// The same with its kernel.
struct Again {
  std::shared_ptr<const sim::Program> program;
  sim::LaunchRequest request;
};
Result<Again> prepare_again(const Outcome& outcome, int launch, Repeat which = Repeat::first,
                            sim::Progress* progress = nullptr);

}  // namespace lanescope::job
