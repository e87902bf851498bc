#pragma once
// A launch of a program as a run of its own: what lessons and `trace` ask of a run can then be asked of it.

#include "device/kept_launch.h"
#include "job/run/job.h"

namespace lanescope::job {

// Its source is the one of the program, or the PTX where there is none. A pointer that leads into an allocation is a
// buffer of that whole allocation; of a type that is not known, a number.
Request request_of(std::shared_ptr<const device::KeptLaunch> launch);

// Runs it on a copy of its memory. Outcome::arguments are the parameters, with what the allocations hold afterwards.
Outcome run_kept(const Request& request, sim::Progress* progress);

// The launch on the memory that it began with, which must not be changed.
sim::LaunchRequest kept_request(const Request& request, sim::Progress* progress);

}  // namespace lanescope::job
