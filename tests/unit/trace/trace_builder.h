#pragma once
// Small traces written by hand, event by event. Their totals are computed from the events.

#include <string>
#include <vector>

#include "metrics/recompute.h"
#include "trace/trace.h"

namespace lanescope::trace::test {

class TraceBuilder {
 public:
  TraceBuilder(Dim3 grid, Dim3 block) {
    trace_.launch.grid = grid;
    trace_.launch.block = block;
    trace_.kernel = "made_by_hand";
    trace_.functions = {"made_by_hand"};
  }

  std::uint32_t site(EventKind kind, std::string opcode, int line, int instructions = 0) {
    Site site;
    site.id = static_cast<std::uint32_t>(trace_.sites.size());
    site.kind = kind;
    site.opcode = std::move(opcode);
    site.file = "k.cu";
    site.line = line;
    site.instruction_count = instructions;
    trace_.sites.push_back(site);
    return site.id;
  }
  std::uint32_t access_site(MemorySpace space, Operation operation, int width, std::string opcode, int line) {
    const std::uint32_t id = site(EventKind::memory, std::move(opcode), line);
    trace_.sites[id].space = space;
    trace_.sites[id].operation = operation;
    trace_.sites[id].width = trace_.sites[id].element_width = static_cast<std::uint8_t>(width);
    return id;
  }

  // The following events belong to this warp.
  TraceBuilder& warp(std::uint32_t block, std::uint32_t warp) {
    block_ = block;
    warp_ = static_cast<std::uint16_t>(warp);
    sequence_ = 0;
    return *this;
  }
  TraceBuilder& event(std::uint32_t site, LaneMask active, LaneMask executed) {
    WarpEvent event;
    event.site = site;
    event.block = block_;
    event.warp = warp_;
    event.sequence = sequence_++;
    event.kind = trace_.sites[site].kind;
    event.space = trace_.sites[site].space;
    event.active = active;
    event.executed = executed;
    trace_.events.push_back(event);
    return *this;
  }
  TraceBuilder& event(std::uint32_t site, LaneMask active) { return event(site, active, active); }
  TraceBuilder& affine(std::uint32_t site, LaneMask active, LaneMask executed, std::uint64_t first, int stride) {
    event(site, active, executed);
    trace_.events.back().first_address = first;
    trace_.events.back().stride = stride;
    return *this;
  }
  // One address per executed lane.
  TraceBuilder& scattered(std::uint32_t site, LaneMask active, LaneMask executed,
                          const std::vector<std::uint64_t>& addresses) {
    event(site, active, executed);
    trace_.events.back().side = static_cast<std::uint32_t>(trace_.addresses.size());
    if (!addresses.empty()) trace_.events.back().first_address = addresses[0];
    trace_.addresses.insert(trace_.addresses.end(), addresses.begin(), addresses.end());
    return *this;
  }
  TraceBuilder& shuffle(std::uint32_t site, LaneMask active, LaneMask executed,
                        const std::vector<std::uint8_t>& sources) {
    event(site, active, executed);
    trace_.events.back().side = static_cast<std::uint32_t>(trace_.source_lanes.size());
    trace_.source_lanes.insert(trace_.source_lanes.end(), sources.begin(), sources.end());
    return *this;
  }
  // Sets the space of the last event of a generic site.
  TraceBuilder& in(MemorySpace space) {
    trace_.events.back().space = space;
    return *this;
  }

  Trace finish() {
    trace_.totals = metrics::recompute_totals(trace_);
    return trace_;
  }

 private:
  Trace trace_;
  std::uint32_t block_ = 0, sequence_ = 0;
  std::uint16_t warp_ = 0;
};

}  // namespace lanescope::trace::test
