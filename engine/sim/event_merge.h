#pragma once
// Joining the events of consecutive runs of blocks into one trace, within the budget.

#include "sim/recorder.h"

namespace lanescope::sim {

// Appends what `from` kept to the trace's events, as far as `bytes_left` reaches; the first event that does not fit ends it,
// and sets `bytes_left` to −1. Frees what it has moved. `from` must hold its turns, unless all of it is known to fit.
void append_events(trace::Trace& trace, EventStore& from, std::int64_t& bytes_left);

}  // namespace lanescope::sim
