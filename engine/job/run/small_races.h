#pragma once
// Races are looked for without being asked where that takes a moment only.

#include <functional>

#include "job/run/job.h"

namespace lanescope::job {

// Accesses of lanes to global and shared memory, over all launches of a run, up to which it is run again with the
// detector. Measured on one core of a server of 2023: 0.07 µs to 0.1 µs each, so 0.15 s at most, and less than 0.3 s
// where cores are half as fast.
inline constexpr std::uint64_t most_checked_accesses = 1'500'000;

// Where the request says Request::races_if_small and the run came to its end: fills in the outcome's race reports and
// says by warnings (race.found) what races, or by a note (race.not_looked_for) that nobody looked.
void look_for_races_if_small(Outcome& outcome, const std::function<Outcome(const Request&)>& run_again);

}  // namespace lanescope::job
