#pragma once
// Turns a launch of a program into a run of its own, so that lessons and `trace` can work on it.

#include "device/kept_launch.h"
#include "job/run/job.h"

namespace lanescope::job {

// The source is the program's, or the PTX if there is none. A pointer into an allocation becomes a buffer of the whole
// allocation, or a number if its type is not known.
Request request_of(std::shared_ptr<const device::KeptLaunch> launch);

// Runs on a copy of the launch's memory. Outcome::arguments are the parameters with the contents of the allocations
// afterwards.
Outcome run_kept(const Request& request, sim::Progress* progress);

// The launch on its original memory, which must not be changed.
sim::LaunchRequest kept_request(const Request& request, sim::Progress* progress);

}  // namespace lanescope::job
