#include "job/witness/record_comparison.h"

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/cluster_shared.h"
#include "core/worded.h"

namespace lanescope::job {
namespace {

using trace::EventKind;
using trace::MemorySpace;
using trace::Trace;
using trace::WarpEvent;

// An event without its place: what both witnesses must agree on.
struct Shape {
  std::uint32_t active = 0, executed = 0;
  MemorySpace space{};
  std::vector<std::uint64_t> lanes;  // addresses or source lanes of the executed lanes
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;  // site, block, warp
using Shapes = std::map<Place, std::vector<Shape>>;

constexpr std::uint64_t first_argument = 1ull << 48;

// Whose shared memory an instruction accesses: the kernel's own, or what the system keeps for cooperative groups. A GPU
// places the latter before the former, the interpreter behind it.
using ReservedSites = std::set<std::uint32_t>;

ReservedSites sites_of_reserved_memory(const Trace& interpreted) {
  const std::uint64_t own = interpreted.launch.static_shared_bytes + interpreted.launch.dynamic_shared_bytes;
  ReservedSites sites;
  for (const WarpEvent& event : interpreted.events)
    if (event.kind == EventKind::memory && event.space == MemorySpace::shared && event.executed.bits != 0 &&
        interpreted.address(event, event.executed.lowest()) >= own)
      sites.insert(event.site);
  return sites;
}

// An address inside an argument becomes (argument + 1) * first_argument | offset. Others become their distance from the
// lowest address of their space in the whole trace, rounded down to a line. Shared memory has the same layout in each
// block. So a block's own shared memory and that of other blocks count as one space here; the rank stays in the
// address.
class Addresses {
 public:
  Addresses(std::vector<DeviceRange> ranges, const ReservedSites& reserved)
      : ranges_(std::move(ranges)), reserved_(reserved) {}

  void see(const WarpEvent& event, std::uint64_t address) {
    if (argument_of(address)) return;
    const std::uint64_t place = address - block_of(event.space, address);
    const auto [found, fresh] = lowest_.try_emplace(layout_of(event), place);
    if (!fresh) found->second = std::min(found->second, place);
  }
  std::uint64_t normal(const WarpEvent& event, std::uint64_t address) const {
    if (const auto inside = argument_of(address)) return *inside;
    const auto found = lowest_.find(layout_of(event));
    const std::uint64_t lowest = found == lowest_.end() ? 0 : found->second;
    return address - lowest / MemoryModel::line_bytes * MemoryModel::line_bytes;
  }

 private:
  struct Layout {
    MemorySpace space{};
    bool reserved = false;
    auto operator<=>(const Layout&) const = default;
  };
  Layout layout_of(const WarpEvent& event) const {
    const bool shared = event.space == MemorySpace::distributed || event.space == MemorySpace::shared;
    return {shared ? MemorySpace::shared : event.space, shared && reserved_.contains(event.site)};
  }
  // For a distributed address: the start of the memory of the block that it identifies.
  static std::uint64_t block_of(MemorySpace space, std::uint64_t address) {
    return space == MemorySpace::distributed ? address - cluster_shared::within_block(address) : 0;
  }
  std::optional<std::uint64_t> argument_of(std::uint64_t address) const {
    for (const DeviceRange& range : ranges_)
      if (address - range.address < range.bytes)
        return (static_cast<std::uint64_t>(range.argument) + 1) * first_argument | (address - range.address);
    return std::nullopt;
  }
  std::vector<DeviceRange> ranges_;
  const ReservedSites& reserved_;
  std::map<Layout, std::uint64_t> lowest_;
};

class Collector {
 public:
  Collector(const Trace& trace, instrument::Pass pass, std::uint32_t first_block, std::uint32_t block_count,
            std::vector<DeviceRange> ranges, const ReservedSites& reserved, bool constants_apart)
      : trace_(trace),
        pass_(pass),
        first_block_(first_block),
        block_count_(block_count),
        constants_apart_(constants_apart),
        addresses_(std::move(ranges), reserved) {
    for (const WarpEvent& event : trace_.events)
      if (wanted(event) && event.kind == EventKind::memory)
        event.executed.for_each([&](int lane) { addresses_.see(event, trace_.address(event, lane)); });
    for (const WarpEvent& event : trace_.events)
      if (wanted(event)) shapes_[{event.site, event.block, event.warp}].push_back(shape(event));
    for (auto& [place, list] : shapes_) std::sort(list.begin(), list.end());
  }
  const Shapes& shapes() const { return shapes_; }

 private:
  bool wanted(const WarpEvent& event) const {
    return event.block - first_block_ < block_count_ && belongs_to(event, pass_);
  }

  Shape shape(const WarpEvent& event) const {
    Shape out{.active = event.active.bits, .executed = event.executed.bits};
    if (event.kind == EventKind::memory) {
      out.space = event.space;
      // Local memory is per thread, and each witness interleaves the lanes in its own way.
      if (event.space == MemorySpace::local) return out;
      if (event.space == MemorySpace::constant && constants_apart_) {
        std::uint64_t lowest = UINT64_MAX;
        event.executed.for_each([&](int lane) { lowest = std::min(lowest, trace_.address(event, lane)); });
        event.executed.for_each([&](int lane) { out.lanes.push_back(trace_.address(event, lane) - lowest); });
        return out;
      }
      event.executed.for_each(
          [&](int lane) { out.lanes.push_back(addresses_.normal(event, trace_.address(event, lane))); });
    } else if (event.kind == EventKind::shuffle && event.side != WarpEvent::no_side) {
      for (int i = 0; i < event.executed.count(); ++i)
        out.lanes.push_back(trace_.source_lanes[event.side + static_cast<std::uint32_t>(i)]);
    }
    return out;
  }

  const Trace& trace_;
  instrument::Pass pass_;
  std::uint32_t first_block_, block_count_;
  bool constants_apart_;
  Addresses addresses_;
  Shapes shapes_;
};

std::uint64_t common(const std::vector<Shape>& a, const std::vector<Shape>& b) {
  std::vector<Shape> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

// What each lane did, in any grouping: lane, space, address or source lane.
using LaneDeed = std::tuple<int, MemorySpace, std::uint64_t>;

std::vector<LaneDeed> deeds(const std::vector<Shape>& shapes) {
  std::vector<LaneDeed> all;
  for (const Shape& shape : shapes) {
    std::size_t next = 0;
    LaneMask{shape.executed}.for_each(
        [&](int lane) { all.emplace_back(lane, shape.space, next < shape.lanes.size() ? shape.lanes[next++] : 0); });
  }
  std::sort(all.begin(), all.end());
  return all;
}

struct SiteCount {
  std::uint64_t interpreted = 0, recorded = 0, equal = 0;
  bool same_deeds = true;  // at every place, in any grouping
  bool agrees() const { return equal == interpreted && equal == recorded; }
};

std::map<std::uint32_t, SiteCount> counts_of(const Shapes& ours, const Shapes& theirs) {
  std::map<std::uint32_t, SiteCount> sites;
  for (const auto& [place, list] : ours) {
    SiteCount& site = sites[std::get<0>(place)];
    site.interpreted += list.size();
    const auto other = theirs.find(place);
    if (other == theirs.end()) {
      site.same_deeds = false;
      continue;
    }
    site.equal += common(list, other->second);
    site.same_deeds = site.same_deeds && (list == other->second || deeds(list) == deeds(other->second));
  }
  for (const auto& [place, list] : theirs) {
    SiteCount& site = sites[std::get<0>(place)];
    site.recorded += list.size();
    site.same_deeds = site.same_deeds && ours.contains(place);
  }
  return sites;
}

// The shapes of one site, with addresses of module variables as distances from the lowest that the site accesses in
// their space: a GPU orders variables in its own way, so that each may be at another distance.
Shapes with_variables_apart(const Shapes& all, std::uint32_t site) {
  Shapes shapes(all.lower_bound({site, 0, 0}), all.upper_bound({site, UINT32_MAX, UINT16_MAX}));
  std::map<MemorySpace, std::uint64_t> lowest;
  const auto for_each_variable = [&](auto&& use) {
    for (auto& [place, list] : shapes)
      for (Shape& shape : list) {
        if (shape.space != MemorySpace::global && shape.space != MemorySpace::constant) continue;
        for (std::uint64_t& address : shape.lanes)
          if (address < first_argument) use(address, lowest.try_emplace(shape.space, address).first->second);
      }
  };
  for_each_variable([](std::uint64_t address, std::uint64_t& low) { low = std::min(low, address); });
  for_each_variable([](std::uint64_t& address, std::uint64_t low) { address -= low; });
  for (auto& [place, list] : shapes) std::sort(list.begin(), list.end());
  return shapes;
}

}  // namespace

bool belongs_to(const WarpEvent& event, instrument::Pass pass) {
  const EventKind kind = event.kind;
  switch (pass) {
    case instrument::Pass::memory:
      return kind == EventKind::memory && event.space != MemorySpace::param;
    case instrument::Pass::block_entries:
      return kind == EventKind::block_entry;
    case instrument::Pass::operations:
      return kind != EventKind::memory && kind != EventKind::block_entry;
  }
  return false;
}

RecordComparison compare_records(const Trace& interpreted, const Trace& recorded, instrument::Pass pass,
                                 std::uint32_t first_block, std::uint32_t block_count,
                                 std::span<const DeviceRange> device, std::span<const DeviceRange> interpreter) {
  const bool constants_apart = !interpreter.empty();
  std::vector<DeviceRange> here(interpreter.begin(), interpreter.end());
  for (const trace::Buffer& buffer : interpreted.buffers)
    if (buffer.argument >= 0 && interpreter.empty()) here.push_back({buffer.argument, buffer.address, buffer.bytes});
  ReservedSites reserved;
  if (pass == instrument::Pass::memory) reserved = sites_of_reserved_memory(interpreted);
  auto ours_soon = std::async(std::launch::async, [&] {
    return Collector(interpreted, pass, first_block, block_count, std::move(here), reserved, constants_apart);
  });
  const Collector theirs(recorded, pass, first_block, block_count, {device.begin(), device.end()}, reserved,
                         constants_apart);
  const Collector ours = ours_soon.get();

  std::map<std::uint32_t, SiteCount> sites = counts_of(ours.shapes(), theirs.shapes());
  if (pass == instrument::Pass::memory)
    for (auto& [id, count] : sites) {
      if (count.agrees()) continue;
      const SiteCount apart =
          counts_of(with_variables_apart(ours.shapes(), id), with_variables_apart(theirs.shapes(), id))[id];
      if (apart.agrees()) count = apart;
    }

  RecordComparison result{.pass = pass, .dropped = recorded.events_dropped};
  constexpr std::size_t most_differences = 20;
  for (const auto& [id, count] : sites) {
    result.interpreted += count.interpreted;
    result.recorded += count.recorded;
    result.equal += count.equal;
    if (count.interpreted != count.recorded) result.lines_that_part.push_back(interpreted.sites[id].line);
    const bool same = count.agrees();
    if (!same) (count.same_deeds ? result.regrouped_sites : result.changed_sites).push_back(id);
    if (same || result.differences.size() >= most_differences) continue;
    const trace::Site& site = interpreted.sites[id];
    result.differences.push_back(worded("line {}, {}: {} interpreted, {} recorded, {} equal", site.line, site.opcode,
                                        count.interpreted, count.recorded, count.equal));
  }
  std::vector<int>& lines = result.lines_that_part;
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  result.only_regrouped = !result.agrees() && result.dropped == 0 && result.changed_sites.empty();
  return result;
}

}  // namespace lanescope::job
