#pragma once
// Joining the events of consecutive runs of blocks into one trace.

#include <span>

#include "sim/recorder.h"

namespace lanescope::sim {

// Appends what the stores kept to the trace's events, in their order, on so many threads, and frees it there.
void append_events(trace::Trace& trace, std::span<EventStore* const> stores, int threads);

}  // namespace lanescope::sim
