#pragma once
// Computes totals from the events of a complete trace in the simplest way, byte by byte. The interpreter's live totals
// must be equal. Shares no code with the interpreter or with metrics/.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "trace/trace.h"

namespace lanescope::sim::test {

struct NaiveCost {
  std::uint64_t bytes = 0, sectors = 0, wavefronts = 0, ideal_wavefronts = 0, depth = 0;
};

// docs/glossary.md, "Phase": a load from shared memory in which all neighbours agree, or all lanes two apart.
inline bool has_joined_phases(const trace::Trace& trace, const trace::WarpEvent& event) {
  const trace::Site& site = trace.sites[event.site];
  if (site.operation != trace::Operation::load || site.space != trace::MemorySpace::shared ||
      !site.opcode.starts_with("ld."))
    return false;
  const auto agree = [&](int bit) {
    for (int lane = 0; lane < 32; ++lane)
      if (event.executed.test(lane) && event.executed.test(lane ^ bit) &&
          trace.address(event, lane) != trace.address(event, lane ^ bit))
        return false;
    return true;
  };
  return agree(1) || agree(2);
}

// docs/glossary.md, "Turn".
inline bool takes_turns(const trace::Trace& trace, const trace::WarpEvent& event) {
  const trace::Site& site = trace.sites[event.site];
  if (site.operation != trace::Operation::atomic && site.operation != trace::Operation::reduction) return false;
  return site.turns == trace::Turns::lanes ||
         (site.turns == trace::Turns::lanes_of_part && event.executed.count() != 32);
}

inline NaiveCost naive_cost(const trace::Trace& trace, const trace::WarpEvent& event) {
  NaiveCost cost;
  const std::uint64_t width = trace.sites[event.site].width;
  std::set<std::uint64_t> bytes, sectors;
  std::map<std::uint64_t, std::uint64_t> lanes_at;
  // phase → bank → what takes a turn: a word, or a word and a lane
  std::map<int, std::map<std::uint64_t, std::set<std::pair<std::uint64_t, int>>>> turns;
  const bool each_lane = takes_turns(trace, event);
  int lanes_a_phase = width <= 4 ? 32 : width <= 8 ? 16 : 8;
  if (width > 4 && has_joined_phases(trace, event)) lanes_a_phase *= 2;
  for (int lane = 0; lane < 32; ++lane) {
    if (!event.executed.test(lane)) continue;
    const std::uint64_t address = trace.address(event, lane);
    ++lanes_at[address];
    for (std::uint64_t byte = address; byte < address + width; ++byte) {
      bytes.insert(byte);
      sectors.insert(byte / 32);
      turns[lane / lanes_a_phase][byte / 4 % 32].insert({byte / 4, each_lane ? lane : 0});
    }
  }
  cost.bytes = bytes.size();
  for (const auto& [address, lanes] : lanes_at) cost.depth = std::max(cost.depth, lanes);
  if (event.space == trace::MemorySpace::global || event.space == trace::MemorySpace::local)
    cost.sectors = sectors.size();
  if (event.space == trace::MemorySpace::shared)
    for (const auto& [phase, banks] : turns) {
      std::uint64_t degree = 0;
      for (const auto& [bank, distinct] : banks) degree = std::max<std::uint64_t>(degree, distinct.size());
      cost.wavefronts += degree;
      cost.ideal_wavefronts += 1;
    }
  return cost;
}

inline trace::Totals naive_totals(const trace::Trace& trace) {
  using trace::EventKind;
  using trace::Operation;
  trace::Totals totals;
  totals.sites.resize(trace.sites.size());
  // Entries into each basic block; every site in it was executed as often.
  std::map<std::pair<int, int>, std::uint64_t> entries, entered;  // entered: lanes
  std::set<std::uint32_t> seen;
  for (const trace::WarpEvent& event : trace.events) {
    const trace::Site& site = trace.sites[event.site];
    trace::SiteTotals& sums = totals.sites[event.site];
    const auto lanes = static_cast<std::uint64_t>(event.executed.count());
    switch (event.kind) {
      case EventKind::block_entry:
        ++entries[{site.function, site.basic_block}];
        entered[{site.function, site.basic_block}] += lanes;
        totals.warp_instructions += static_cast<std::uint64_t>(site.instruction_count);
        totals.lane_instructions +=
            static_cast<std::uint64_t>(site.instruction_count) * static_cast<std::uint64_t>(event.active.count());
        break;
      case EventKind::branch: {
        const bool divergent = lanes != 0 && event.executed != event.active;
        ++totals.branches;
        totals.divergent_branches += divergent ? 1 : 0;
        sums.divergent += divergent ? 1 : 0;
        break;
      }
      case EventKind::barrier:
        ++totals.barriers;
        break;
      case EventKind::shuffle:
        ++totals.shuffles;
        break;
      case EventKind::vote:
        ++totals.votes;
        break;
      case EventKind::guarded:
      case EventKind::matrix:
        break;
      case EventKind::memory: {
        const NaiveCost cost = naive_cost(trace, event);
        trace::MemoryTotals request;
        request.requests = 1;
        request.executed_lanes = lanes;
        request.bytes_requested = cost.bytes;
        request.sectors = cost.sectors;
        request.ideal_sectors = cost.sectors != 0 ? (cost.bytes + 31) / 32 : 0;
        request.wavefronts = cost.wavefronts;
        request.ideal_wavefronts = cost.ideal_wavefronts;
        if (site.operation == Operation::atomic || site.operation == Operation::reduction)
          request.serial_depth = cost.depth;
        const bool second = site.operation == Operation::async_copy && event.space == trace::MemorySpace::shared;
        (second ? sums.memory_shared_part : sums.memory) += request;
        totals.of(trace::class_of(event.space, site.operation)) += request;
        if (second) continue;  // the same execution as the global side
        break;
      }
    }
    sums.executed_lanes += lanes;
    seen.insert(event.site);
  }
  for (std::size_t i = 0; i < trace.sites.size(); ++i)
    totals.sites[i].executions = entries[{trace.sites[i].function, trace.sites[i].basic_block}];
  // Without a guard these make no events: all lanes of the basic block execute them.
  for (std::uint32_t i = 0; i < trace.sites.size(); ++i)
    if (trace.sites[i].kind == EventKind::guarded && !seen.contains(i))
      totals.sites[i].executed_lanes = entered[{trace.sites[i].function, trace.sites[i].basic_block}];
  return totals;
}

// The first problem with the order or form of the events; empty if there is none.
inline std::string event_order_fault(const trace::Trace& trace) {
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const trace::WarpEvent& event = trace.events[i];
    const std::string at = " at event " + std::to_string(i);
    if (event.site >= trace.sites.size()) return "no such site" + at;
    if (trace.sites[event.site].kind != event.kind) return "kind differs from the site's" + at;
    if ((event.executed & event.active) != event.executed) return "executed but not active" + at;
    if (event.active.empty()) return "nobody active" + at;
    if (i == 0) continue;
    const trace::WarpEvent& before = trace.events[i - 1];
    const bool same_warp = before.block == event.block && before.warp == event.warp;
    if (same_warp && event.sequence != before.sequence + 1) return "gap in the sequence" + at;
    if (!same_warp && event.sequence != 0) return "first event is not number 0" + at;
    if (event.block < before.block || (event.block == before.block && event.warp < before.warp))
      return "wrong order" + at;
  }
  return "";
}

}  // namespace lanescope::sim::test
