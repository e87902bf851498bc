#pragma once
// Prepares a launch of a run for another run, with the buffers and variables that it began with. The memory of a
// program's launch belongs to the outcome, so only sim/replay.h may run on it.

#include <memory>

#include "job/run/job.h"

namespace lanescope::job {

// For launch 1, 2, … of the outcome, its first repeat. Earlier launches run again completely, without recording, so do
// not call it while a frame is drawn. Errors: those of these runs, and value.no_launch.
Result<sim::LaunchRequest> launch_again(const Outcome& outcome, int launch, sim::Progress* progress = nullptr);

// Selects a repeat of a launch. An outcome has the events of the first repeat and the buffers after the last one.
enum class Repeat : std::uint8_t { first, last };

// The request and its kernel.
struct Again {
  std::shared_ptr<const sim::Program> program;
  sim::LaunchRequest request;
};
Result<Again> prepare_again(const Outcome& outcome, int launch, Repeat which = Repeat::first,
                            sim::Progress* progress = nullptr);

}  // namespace lanescope::job
