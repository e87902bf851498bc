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

// Whether `event` is a further request of the execution that `last`, the event before it, belongs to.
// wmma.load makes several requests, cp.async two, and a generic access one per space. Between two executions the warp
// enters a basic block, which is an event.
bool same_execution(const trace::WarpEvent& last, const trace::WarpEvent& event);

// Like recompute_totals(), for events of one trace that are added one by one, those of a warp in their order.
class RunningTotals {
 public:
  void add(const trace::Trace& trace, const trace::WarpEvent& event);
  trace::Totals so_far(const trace::Trace& trace) const;

 private:
  trace::Totals sums_;
  trace::WarpEvent last_;
};

// For numbers that report() made: writes their values for other totals in place, without making texts anew.
void report_again(std::vector<Measurement>& numbers, const trace::Totals& totals);

}  // namespace lanescope::metrics
