// Names the races and writes the report. Races on the same pair of lines become one.

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/races/races.h"

namespace lanescope::sim {

const char* name_of(RaceKind kind) {
  switch (kind) {
    case RaceKind::write_write:
      return "write_write";
    case RaceKind::read_write:
      return "read_write";
    case RaceKind::atomic_plain:
      return "atomic_plain";
    case RaceKind::copy_not_awaited:
      return "copy_not_awaited";
    case RaceKind::not_begun:
      return "not_begun";
    case RaceKind::may_have_ended:
      return "may_have_ended";
    case RaceKind::same_value:
      return "same_value";
    case RaceKind::colliding_lanes:
      return "colliding_lanes";
  }
  return "";
}

const char* name_of(RaceCure cure) {
  switch (cure) {
    case RaceCure::warp:
      return "__syncwarp()";
    case RaceCure::block:
      return "__syncthreads()";
    case RaceCure::cluster:
      return "cluster.sync()";
    case RaceCure::grid:
      return "grid.sync()";
    case RaceCure::copy:
      return "cp.async.wait_group";
  }
  return "";
}

// Of an unordered read and write: whether the reading thread wrote the same value itself before it read, so that it
// reads this value in any order. Its own write would have left the cell if the other one were ordered after it or
// different.
bool RaceDetector::reads_its_own_value(const Mine& mine, const ShadowCell& cell, const ShadowAccess& earlier,
                                       std::uint32_t lane, std::uint64_t word) const {
  const std::uint32_t bytes = earlier.bytes & mine.access.bytes;
  const bool reads_now = !mine.access.writes();
  if (earlier.strong || mine.access.strong || earlier.kind == ShadowAccess::atomic) return false;
  if (!reads_now && !writes_what_is_there(mine, word, bytes)) return false;
  const ShadowAccess& read = reads_now ? mine.access : earlier;
  const std::uint32_t reader = 1u << (reads_now ? mine.lane : lane);
  const auto is_own = [&](const ShadowAccess& access) {
    const bool before = access.clock != read.clock ? access.clock < read.clock : access.position < read.position;
    return before && access.kind == ShadowAccess::write && !access.pending && access.warp == read.warp &&
           (access.lanes & reader) != 0 && (bytes & ~access.bytes) == 0;
  };
  if (cell.more == nullptr) return is_own(cell.write);
  return cell.more->strong.empty() && (is_own(cell.write) || std::ranges::any_of(cell.more->writes, is_own));
}

namespace {

// A thread that runs an instruction once does it in one step with every other thread. In a loop, a guess.
bool one_write_in_one_step(const Race& race) {
  const RaceAccess &first = race.first, &second = race.second;
  if (race.kind != RaceKind::write_write || first.site != second.site) return false;
  return race.second_is_earlier.has_value() || (first.clock == second.clock && first.position == second.position);
}

// Whether one of the two threads of `change` reads what both then write.
bool reads_for(const Race& race, const Race& change) {
  if (race.kind != RaceKind::read_write || race.space != change.space || race.buffer != change.buffer ||
      race.owner != change.owner || race.offset != change.offset)
    return false;
  const RaceAccess& write = race.first.writes ? race.first : race.second;
  const RaceAccess& read = race.first.writes ? race.second : race.first;
  const bool reads_first = race.turned() == (&write == &race.first);
  const auto by = [](const RaceAccess& access) { return std::pair(access.block, access.thread); };
  return reads_first && read.clock == write.clock && write.site == change.first.site &&
         std::minmax(by(read), by(write)) == std::minmax(by(change.first), by(change.second));
}

}  // namespace

void find_one_steps(std::vector<Race>& races) {
  for (const Race& change : races) {
    if (!one_write_in_one_step(change)) continue;
    for (Race& race : races) race.in_one_step |= &race == &change || reads_for(race, change);
  }
}

// One line often has several instructions, and many for each in an unrolled loop.
void RaceDetector::merge_lines(const std::vector<trace::Site>& sites) {
  const auto line = [&](const RaceAccess& access) {
    const trace::Site& site = sites[access.site];
    return std::tuple(site.file, site.line, site.line != 0 ? 0 : site.ptx_line);
  };
  const auto only_writes = [](const Race& race) { return race.first.writes && race.second.writes; };
  const auto same = [&](const Race& a, const Race& b) {
    if (a.kind != b.kind || a.space != b.space || only_writes(a) != only_writes(b)) return false;
    return (line(a.first) == line(b.first) && line(a.second) == line(b.second)) ||
           (line(a.first) == line(b.second) && line(a.second) == line(b.first));
  };
  std::vector<Race> merged;
  for (Race& race : report_.races) {
    const auto at = std::find_if(merged.begin(), merged.end(), [&](const Race& other) { return same(race, other); });
    if (at == merged.end()) {
      merged.push_back(race);
      continue;
    }
    const std::uint64_t count = at->count + race.count;
    if (race.cure != RaceCure::copy && race.cure > at->cure) *at = race;
    at->count = count;
  }
  report_.races = std::move(merged);
}

RaceReport RaceDetector::take_report(trace::Trace& trace) {
  merge_lines(trace.sites);
  // Regions are sorted by address; the trace's buffers are not.
  for (Race& race : report_.races) {
    if (race.buffer < 0) continue;
    if (const auto heap = heap_buffers_.find(race.buffer); heap != heap_buffers_.end()) {
      const auto known = std::ranges::find(trace.buffers, heap->second.address, &trace::Buffer::address);
      race.buffer = static_cast<std::int32_t>(known - trace.buffers.begin());
      if (known == trace.buffers.end()) trace.buffers.push_back(heap->second);
      continue;
    }
    const std::uint64_t address = memory_.regions()[static_cast<std::size_t>(race.buffer)].address;
    race.buffer = -1;
    for (std::size_t i = 0; i < trace.buffers.size(); ++i)
      if (trace.buffers[i].address == address) race.buffer = static_cast<std::int32_t>(i);
  }
  return std::move(report_);
}

}  // namespace lanescope::sim
