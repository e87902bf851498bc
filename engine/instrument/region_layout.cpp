#include "instrument/region_layout.h"

#include <algorithm>
#include <limits>

#include "instrument/site_map.h"

namespace lanescope::instrument {
namespace {

constexpr std::uint64_t most_units = 1u << 26;  // 1 GiB per warp, so that the units of a block's regions fit 32 bits

// Units of the records that one warp writes, indexed by the lane that writes them.
using Units = std::array<std::uint64_t, MemoryModel::lanes>;

// The number of requests that the first instruction of a group makes: more than one for wmma.load and wmma.store.
std::uint32_t first_requests(const Instrumented& kernel, const RecordGroup& group) {
  const auto first = kernel.sites.begin() + group.first_site;
  if (first->elements.empty()) return 1;
  return static_cast<std::uint32_t>(std::count_if(first, first + group.sites, [&](const RecordSite& site) {
    return site.instruction == first->instruction && site.function == first->function;
  }));
}

}  // namespace

std::uint64_t largest_record(const Instrumented& kernel) {
  std::uint64_t largest = 1;
  for (const RecordGroup& group : kernel.groups) largest = std::max<std::uint64_t>(largest, group.most_units());
  return largest;
}

std::uint64_t largest_event(const Instrumented& kernel) {
  std::uint64_t largest = 1;
  for (const RecordGroup& group : kernel.groups) {
    const auto sites = static_cast<std::uint64_t>(std::max(group.sites, 1));
    largest = std::max<std::uint64_t>(largest, (group.most_units() + sites - 1) / sites);
  }
  return largest;
}

RegionShape shape_of(const Units& units, LaneMask sparse) {
  RegionShape shape;
  std::uint64_t at = 0;
  for (std::size_t lane = 0; lane < units.size(); ++lane) {
    shape.lanes[lane].begin = static_cast<std::uint32_t>(at);
    // Adds the unit for the counter and rounds up to whole sectors, so that no two warps write to the same sector. Each
    // of the remaining lanes needs at least one sector.
    const std::uint64_t still_to_come = 2 * (units.size() - 1 - lane);
    constexpr std::uint64_t line_units = MemoryModel::line_bytes / sizeof(Header);
    const std::uint64_t piece = sparse.test(static_cast<int>(lane)) && units[lane] >= line_units / 2 ? line_units : 2;
    at = std::min(at + (units[lane] + piece) / piece * piece, most_units - still_to_come);
    shape.lanes[lane].end = static_cast<std::uint32_t>(at);
  }
  return shape;
}

RegionShape region_shape(const Instrumented& kernel, const trace::Trace& interpreted) {
  // The events at the first site of a group stand for its records: one event for each, or as many as its instruction
  // makes requests.
  struct RecordAt {
    const RecordGroup* group = nullptr;
    std::uint32_t requests = 1, events = 0;
  };
  const SiteMap map(interpreted);
  std::vector<RecordAt> record_at(interpreted.sites.size());
  for (const RecordGroup& group : kernel.groups)
    if (const trace::Site* site = map.find(kernel.sites[static_cast<std::size_t>(group.first_site)]))
      record_at[site->id] = {&group, first_requests(kernel, group)};

  Units most{}, all{}, units{};
  std::uint64_t warps = 0;
  const auto finish_warp = [&] {
    for (std::size_t lane = 0; lane < units.size(); ++lane)
      most[lane] = std::max(most[lane], units[lane]), all[lane] += units[lane];
    units.fill(0);
    ++warps;
  };
  std::pair<std::uint32_t, std::uint16_t> warp{std::numeric_limits<std::uint32_t>::max(), 0};
  for (const trace::WarpEvent& event : interpreted.events) {
    RecordAt& record = record_at[event.site];
    const RecordGroup* group = record.group;
    if (!group || record.events++ % record.requests != 0) continue;
    if (warp != std::pair(event.block, event.warp)) finish_warp();
    warp = {event.block, event.warp};
    const LaneMask mask = group->by_active_lanes ? event.active : event.executed;
    if (mask.empty()) continue;
    units[static_cast<std::size_t>(mask.lowest())] +=
        group->units(group->many() ? Header::parallel : 0, MemoryModel::lanes);
  }
  finish_warp();
  LaneMask sparse;
  for (std::size_t lane = 0; lane < most.size(); ++lane)
    if (all[lane] * 2 < most[lane] * warps) sparse.bits |= 1u << lane;
  const std::uint64_t largest = largest_record(kernel);
  most[0] = std::max<std::uint64_t>(most[0], 1);
  for (std::uint64_t& lane : most) lane += lane == 0 ? 0 : lane / 8 + largest;
  return shape_of(most, sparse);
}

std::uint64_t buffer_bytes(std::uint64_t regions, std::uint32_t capacity) {
  return records_offset + regions * capacity * sizeof(Header);
}

std::uint64_t most_regions(std::uint32_t capacity) {
  return (1ull << 31) / std::max(capacity, 1u);
}

}  // namespace lanescope::instrument
