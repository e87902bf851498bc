#include "metrics/recompute.h"

#include <algorithm>
#include <map>
#include <utility>

#include "metrics/request_cost.h"

namespace lanescope::metrics {
namespace {

using trace::EventKind;
using trace::MemorySpace;
using trace::Operation;
using trace::Site;
using trace::SiteTotals;
using trace::Totals;
using trace::WarpEvent;

void add_access(const trace::Trace& trace, const WarpEvent& event, Totals& totals) {
  const Site& site = trace.sites[event.site];
  const RequestCost request = cost(trace, event);
  add(totals.of(class_of(event.space, site.operation)), request, event.executed, site.operation);
  const bool shared_side = site.operation == Operation::async_copy && event.space == MemorySpace::shared;
  SiteTotals& sums = totals.sites[event.site];
  add(shared_side ? sums.memory_shared_part : sums.memory, request, event.executed, site.operation);
}

void add_event(const trace::Trace& trace, const WarpEvent& event, bool further_request, Totals& totals) {
  if (event.active.empty()) return;
  const Site& site = trace.sites[event.site];
  SiteTotals& sums = totals.sites[event.site];
  const auto lanes = static_cast<std::uint64_t>(event.executed.count());
  // Both sides of an asynchronous copy have the same lanes.
  const bool second_side = site.operation == Operation::async_copy && event.space == MemorySpace::shared;
  if (!further_request && !second_side) sums.executions += 1;
  if (!second_side) sums.executed_lanes += lanes;
  switch (event.kind) {
    case EventKind::block_entry: {
      const auto instructions = static_cast<std::uint64_t>(site.instruction_count);
      totals.warp_instructions += instructions;
      totals.lane_instructions += instructions * static_cast<std::uint64_t>(event.active.count());
      break;
    }
    case EventKind::memory:
      add_access(trace, event, totals);
      break;
    case EventKind::branch: {
      const bool divergent = !event.executed.empty() && event.executed != event.active;
      totals.branches += 1;
      totals.divergent_branches += divergent;
      sums.divergent += divergent;
      break;
    }
    case EventKind::barrier:
      totals.barriers += 1;
      break;
    case EventKind::shuffle:
      totals.shuffles += 1;
      break;
    case EventKind::vote:
      totals.votes += 1;
      break;
    case EventKind::guarded:
    case EventKind::matrix:
      break;
  }
}

}  // namespace

bool same_execution(const WarpEvent& last, const WarpEvent& event) {
  return event.kind == EventKind::memory && last.kind == EventKind::memory && event.site == last.site &&
         event.block == last.block && event.warp == last.warp && event.sequence == last.sequence + 1;
}

bool events_are_complete(const trace::Trace& trace) {
  if (trace.events_dropped != 0 || trace.blocks_not_chosen != 0) return false;
  return !trace.events.empty() || trace.totals.warp_instructions == 0;
}

Totals recompute_totals(const trace::Trace& trace, const std::function<bool(const WarpEvent&)>& keep) {
  RunningTotals totals;
  for (const WarpEvent& event : trace.events)
    if (!keep || keep(event)) totals.add(trace, event);
  return totals.so_far(trace);
}

void RunningTotals::add(const trace::Trace& trace, const WarpEvent& event) {
  if (sums_.sites.size() < trace.sites.size()) sums_.sites.resize(trace.sites.size());
  add_event(trace, event, same_execution(last_, event), sums_);
  last_ = event;
}

Totals RunningTotals::so_far(const trace::Trace& trace) const {
  Totals totals = sums_;
  totals.sites.resize(trace.sites.size());
  // A warp executes an instruction even if its guard is false for all lanes, and then there may be no event for it.
  std::map<std::pair<std::int32_t, std::int32_t>, const SiteTotals*> entries;
  for (const Site& site : trace.sites)
    if (site.kind == EventKind::block_entry) entries[{site.function, site.basic_block}] = &totals.sites[site.id];
  for (const Site& site : trace.sites) {
    SiteTotals& of_site = totals.sites[site.id];
    const auto entry = entries.find({site.function, site.basic_block});
    if (entry == entries.end() || site.kind == EventKind::block_entry) continue;
    // An mbarrier's operation without a guard makes no events. (The interpreter makes one for each that has a guard.)
    if (site.kind == EventKind::guarded && trace.origin == trace::Origin::interpreted && of_site.executions == 0)
      of_site.executed_lanes = entry->second->executed_lanes;
    of_site.executions = std::max(of_site.executions, entry->second->executions);
  }
  return totals;
}

}  // namespace lanescope::metrics
