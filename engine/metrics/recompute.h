#pragma once
// Recomputes totals from the events alone: to cross-check the live totals (tests, `verify`), and for the numbers of a
// part of a launch (one line, one step, one warp).

#include <functional>
#include <vector>

#include "metrics/report.h"
#include "trace/trace.h"

namespace lanescope::metrics {

// True if the events cover the whole launch, so that recompute_totals() must equal the trace's totals.
bool events_are_complete(const trace::Trace& trace);

// Sums over the events for which `keep` holds (all if empty), without using Trace::totals. Instruction counts come from
// block entries: each stands for all instructions of its basic block. So do a site's executions if the entries of its
// basic block are kept; otherwise its own events are counted.
trace::Totals recompute_totals(const trace::Trace& trace,
                               const std::function<bool(const trace::WarpEvent&)>& keep = {});

// The same for events of one trace that are added one by one.
class RunningTotals {
 public:
  void add(const trace::Trace& trace, const trace::WarpEvent& event);
  trace::Totals so_far(const trace::Trace& trace) const;

 private:
  trace::Totals sums_;
};

// For numbers that report() made: writes their values for other totals in place, without making texts anew.
void report_again(std::vector<Measurement>& numbers, const trace::Totals& totals);

}  // namespace lanescope::metrics
