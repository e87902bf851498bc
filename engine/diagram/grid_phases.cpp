// What each block of a cooperative launch did between one grid-wide sync and the next.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

using Place = std::pair<std::string, std::int32_t>;

Place place_of(const trace::Site& site) { return {site.file, site.line}; }

bool is_library(const trace::Site& site) {
  return site.inlined_from.find("cooperative_groups/details/") != std::string::npos;
}

// What a site means for the wait at grid.sync().
struct SyncSites {
  std::vector<bool> waits;     // belongs to it
  std::vector<bool> last;      // its last barrier: a lane that has passed it is in the next phase
  bool any = false;
};

// The lines of the kernel that call grid.sync() are those where, inlined, one thread of a block counts the block in global
// memory, with a barrier of the block before and after it.
SyncSites sync_sites(const trace::Trace& trace) {
  std::map<Place, std::int64_t> last_barrier;
  for (const trace::Site& site : trace.sites) {
    const bool counts = site.operation == trace::Operation::atomic || site.operation == trace::Operation::reduction;
    if (counts && site.space != trace::MemorySpace::shared && is_library(site)) last_barrier[place_of(site)] = -1;
  }
  SyncSites found{std::vector<bool>(trace.sites.size()), std::vector<bool>(trace.sites.size()), false};
  for (const trace::Site& site : trace.sites) {
    const auto line = last_barrier.find(place_of(site));
    found.waits[site.id] = line != last_barrier.end();
    if (line != last_barrier.end() && site.kind == trace::EventKind::barrier) line->second = site.id;
  }
  for (const auto& [line, site] : last_barrier) {
    if (site >= 0) found.last[static_cast<std::size_t>(site)] = found.any = true;
  }
  return found;
}

// How many of a phase's requests bear each name; the index after the last: none.
using Bearers = std::vector<std::vector<std::uint64_t>>;

std::size_t name_at(const std::vector<NamedLines>& names, const trace::Site& site) {
  const auto found = std::ranges::find_if(names, [&](const NamedLines& lines) {
    return site.file == lines.file && site.line >= lines.first && site.line <= lines.last;
  });
  return static_cast<std::size_t>(found - names.begin());
}

// Adds a warp's requests to the phases of its block. Its lanes may come to a sync one part after another, so each has a
// phase of its own.
void add_warp(const trace::Trace& trace, std::span<const trace::WarpEvent> events, const SyncSites& sync,
              const std::vector<NamedLines>& names, std::vector<std::uint64_t>& work, Bearers& bearers) {
  std::array<std::size_t, MemoryModel::lanes> phase{};
  for (const trace::WarpEvent& event : events) {
    if (sync.last[event.site]) {
      for (int lane = 0; lane < MemoryModel::lanes; ++lane) phase[static_cast<std::size_t>(lane)] += event.active.test(lane);
    } else if (!sync.waits[event.site] && event.kind == trace::EventKind::memory && !event.executed.empty()) {
      const std::size_t at = phase[static_cast<std::size_t>(event.executed.lowest())];
      work.resize(std::max(work.size(), at + 1));
      ++work[at];
      bearers.resize(std::max(bearers.size(), at + 1), std::vector<std::uint64_t>(names.size() + 1));
      ++bearers[at][name_at(names, trace.sites[event.site])];
    }
  }
  work.resize(std::max(work.size(), *std::max_element(phase.begin(), phase.end()) + 1));
}

// "round 1", "round 2", "store": what most of a phase's named requests are called, in both languages.
void name_phases(PhaseWork& work, const Bearers& bearers, const std::vector<NamedLines>& names, std::size_t phases) {
  work.phases.resize(phases), work.chinese.resize(phases);
  std::map<std::string, int> uses, used;
  for (std::size_t i = 0; i < std::min(phases, bearers.size()); ++i) {
    const auto last = bearers[i].end() - 1;
    const auto most = std::max_element(bearers[i].begin(), last);
    if (most == last || *most == 0) continue;
    const NamedLines& lines = names[static_cast<std::size_t>(most - bearers[i].begin())];
    work.phases[i] = lines.name, work.chinese[i] = lines.chinese;
    ++uses[lines.name];
  }
  for (std::size_t i = 0; i < phases; ++i) {
    const std::string name = work.phases[i];
    if (name.empty() || uses[name] < 2) continue;
    const std::string number = " " + std::to_string(++used[name]);
    work.phases[i] += number;
    if (!work.chinese[i].empty()) work.chinese[i] += number;
  }
}

}  // namespace

PhaseWork grid_phases(const trace::Trace& trace, const std::vector<NamedLines>& names) {
  PhaseWork result;
  const SyncSites sync = sync_sites(trace);
  if (!trace.launch.cooperative || !sync.any || trace.events_dropped > 0) return result;
  std::size_t phases = 0;
  Bearers bearers;
  for (std::size_t at = 0; at < trace.events.size();) {
    const std::uint32_t number = trace.events[at].block;
    PhaseWork::Block block{number, {}};
    for (std::uint32_t warp = 0; warp < trace.launch.warps_per_block(); ++warp)
      add_warp(trace, trace.warp(number, warp), sync, names, block.work, bearers);
    phases = std::max(phases, block.work.size());
    result.blocks.push_back(std::move(block));
    while (at < trace.events.size() && trace.events[at].block == number) ++at;
  }
  name_phases(result, bearers, names, phases);
  return result;
}

}  // namespace lanescope::diagram
