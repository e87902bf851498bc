#pragma once
// Looks for races without being asked if that takes only a moment.

#include <functional>

#include "job/run/job.h"

namespace lanescope::job {

// The largest number of lane accesses to global and shared memory, over all launches of a run, for which the run is
// repeated with the detector. Measured on one core of a 2023 server: 0.07 µs to 0.1 µs each, so 0.15 s at most, and
// less than 0.3 s on cores of half that speed.
inline constexpr std::uint64_t most_checked_accesses = 1'500'000;

// Where that repeated run stops to look, as sim::RaceReport::effort() of a launch: 0.5 s on such a core. Threads that
// all change and read one word are each compared with all before them, which takes minutes for 160,000 threads.
inline constexpr std::uint64_t most_race_effort = 20'000'000;

// Has a launch of this request watch what the request asks for: everything, or with Request::races_if_small the first
// two blocks.
void watch_first_blocks(const Request& request, sim::LaunchRequest& launch);

// If Request::races_if_small is set and the run completed: fills in the outcome's race reports. Adds a warning per race
// (race.found). If the run was too large, what its first blocks showed stands, and the note race.not_looked_for says
// so; likewise if looking would take long.
void look_for_races_if_small(Outcome& outcome, const std::function<Outcome(const Request&)>& run_again);

}  // namespace lanescope::job
