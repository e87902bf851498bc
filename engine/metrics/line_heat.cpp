#include "metrics/line_heat.h"

#include <limits>
#include <map>
#include <utility>

namespace lanescope::metrics {
namespace {

using trace::EventKind;
using trace::MemoryTotals;
using trace::Operation;
using trace::Site;
using trace::SiteTotals;

double over(std::uint64_t a, std::uint64_t b, bool unknown = false) {
  if (b == 0 || unknown) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(a) / static_cast<double>(b);
}

void add_memory(LineHeat& heat, const MemoryTotals& memory, Operation operation) {
  heat.mixed |= memory.wavefronts != 0 && memory.sectors != 0;
  if (memory.wavefronts != 0) heat.shared_requests += memory.requests;
  if (memory.sectors != 0) heat.sector_requests += memory.requests;
  heat.sectors += memory.sectors;
  heat.ideal_sectors += memory.ideal_sectors;
  heat.wavefronts += memory.wavefronts;
  heat.ideal_wavefronts += memory.ideal_wavefronts;
  if (operation == Operation::atomic || operation == Operation::reduction) {
    heat.atomic_requests += memory.requests;
    heat.serial_depth += memory.serial_depth;
  }
}

void add_site(LineHeat& heat, const Site& site, const SiteTotals& totals) {
  heat.executions += totals.executions;
  if (site.kind == EventKind::branch) {
    heat.branches += totals.executions;
    heat.divergent += totals.divergent;
  } else {
    heat.lane_executions += totals.executions;
    heat.executed_lanes += totals.executed_lanes;
  }
  add_memory(heat, totals.memory, site.operation);
  add_memory(heat, totals.memory_shared_part, site.operation);
}

}  // namespace

double LineHeat::lanes_share() const {
  return over(executed_lanes, MemoryModel::lanes * lane_executions);
}
double LineHeat::sectors_per_request() const {
  return over(sectors, sector_requests, mixed);
}
double LineHeat::ideal_sectors_per_request() const {
  return over(ideal_sectors, sector_requests, mixed);
}
double LineHeat::conflicts_per_request() const {
  return over(bank_conflicts(), shared_requests, mixed);
}
double LineHeat::depth_per_request() const {
  return over(serial_depth, atomic_requests);
}
double LineHeat::divergent_share() const {
  return over(divergent, branches);
}

std::vector<LineHeat> line_heat(const trace::Trace& trace) {
  std::map<std::pair<std::string, std::int32_t>, LineHeat> lines;
  for (std::size_t i = 0; i < trace.sites.size() && i < trace.totals.sites.size(); ++i) {
    const Site& site = trace.sites[i];
    if (site.line <= 0 || site.kind == EventKind::block_entry) continue;
    LineHeat& heat = lines[{site.file, site.line}];
    add_site(heat, site, trace.totals.sites[i]);
  }
  std::vector<LineHeat> result;
  for (auto& [place, heat] : lines) {
    heat.file = place.first;
    heat.line = place.second;
    result.push_back(std::move(heat));
  }
  return result;
}

}  // namespace lanescope::metrics
