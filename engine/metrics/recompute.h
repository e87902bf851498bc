#pragma once
// Recomputes totals from the events alone: a cross-check of the live totals (tests,
// `verify`), and the numbers of a part of a launch (one line, one step, one warp).

#include <functional>

#include "trace/trace.h"

namespace lanescope::metrics {

// True when the events hold the whole launch, so that recompute_totals() must equal the trace's totals.
bool events_are_complete(const trace::Trace& trace);

// Sums over the events for which `keep` holds (all when empty), independent of Trace::totals. Instruction counts follow
// from block entries: each stands for all instructions of its basic block. So do a site's executions when the entries
// of its basic block are among the events kept; else they are its own events.
trace::Totals recompute_totals(const trace::Trace& trace,
                               const std::function<bool(const trace::WarpEvent&)>& keep = {});

}  // namespace lanescope::metrics
