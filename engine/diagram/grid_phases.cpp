// The work of each block of a cooperative launch between two grid-wide syncs.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

using Place = std::pair<std::string, std::int32_t>;

Place place_of(const trace::Site& site) {
  return {site.file, site.line};
}

bool is_library(const trace::Site& site) {
  return site.inlined_from.find("cooperative_groups/details/") != std::string::npos;
}

std::size_t name_at(const std::vector<NamedLines>& names, const trace::Site& site) {
  const auto found = std::ranges::find_if(names, [&](const NamedLines& lines) {
    return site.file == lines.file && site.line >= lines.first && site.line <= lines.last;
  });
  return static_cast<std::size_t>(found - names.begin());
}

// The role of a site.
struct SiteMeaning {
  bool waits = false;    // belongs to the wait at grid.sync()
  bool last = false;     // the wait's last barrier: a lane that has passed it is in the next phase
  std::size_t name = 0;  // index of its phase's name; the number of names: none
};

// Finds the kernel's lines that call grid.sync(): there, inlined, one thread per block counts the block in global
// memory, between two barriers of the block.
std::vector<SiteMeaning> meanings(const trace::Trace& trace, const std::vector<NamedLines>& names) {
  std::map<Place, std::int64_t> last_barrier;
  for (const trace::Site& site : trace.sites) {
    const bool counts = trace::is_atomic(site.operation);
    if (counts && site.space != trace::MemorySpace::shared && is_library(site)) last_barrier[place_of(site)] = -1;
  }
  std::vector<SiteMeaning> found(trace.sites.size());
  for (const trace::Site& site : trace.sites) {
    const auto line = last_barrier.find(place_of(site));
    found[site.id].waits = line != last_barrier.end();
    found[site.id].name = name_at(names, site);
    if (line != last_barrier.end() && site.kind == trace::EventKind::barrier) line->second = site.id;
  }
  for (const auto& [line, site] : last_barrier) {
    if (site >= 0) found[static_cast<std::size_t>(site)].last = true;
  }
  return found;
}

// Requests of a phase per name; the last index counts requests without a name.
using Bearers = std::vector<std::vector<std::uint64_t>>;

// Adds a warp's requests to the phases of its block. Its lanes may reach a sync in several parts, so each lane has its
// own phase.
void add_warp(std::span<const trace::WarpEvent> events, const std::vector<SiteMeaning>& meanings, std::size_t names,
              std::vector<std::uint64_t>& work, Bearers& bearers) {
  std::array<std::size_t, MemoryModel::lanes> phase{};
  const SiteMeaning* const meaning_of = meanings.data();
  for (const trace::WarpEvent& event : events) {
    if (event.kind != trace::EventKind::memory && event.kind != trace::EventKind::barrier) continue;
    const SiteMeaning& meaning = meaning_of[event.site];
    if (meaning.last) {
      for (int lane = 0; lane < MemoryModel::lanes; ++lane)
        phase[static_cast<std::size_t>(lane)] += event.active.test(lane);
    } else if (!meaning.waits && event.kind == trace::EventKind::memory && !event.executed.empty()) {
      const std::size_t at = phase[static_cast<std::size_t>(event.executed.lowest())];
      work.resize(std::max(work.size(), at + 1));
      ++work[at];
      if (bearers.size() <= at) bearers.resize(at + 1, std::vector<std::uint64_t>(names + 1));
      ++bearers[at][meaning.name];
    }
  }
  work.resize(std::max(work.size(), *std::max_element(phase.begin(), phase.end()) + 1));
}

// Names each phase after the name that most of its requests have: "round 1", "round 2", "store", in both languages.
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
  if (!trace.launch.cooperative || trace.events_dropped > 0) return result;
  const std::vector<SiteMeaning> of_site = meanings(trace, names);
  if (std::ranges::none_of(of_site, &SiteMeaning::last)) return result;
  std::size_t phases = 0;
  Bearers bearers;
  for (std::size_t at = 0; at < trace.events.size();) {
    const std::uint32_t number = trace.events[at].block;
    PhaseWork::Block block{number, {}};
    for (std::uint32_t warp = 0; warp < trace.launch.warps_per_block(); ++warp)
      add_warp(trace.warp(number, warp), of_site, names.size(), block.work, bearers);
    phases = std::max(phases, block.work.size());
    result.blocks.push_back(std::move(block));
    while (at < trace.events.size() && trace.events[at].block == number) ++at;
  }
  name_phases(result, bearers, names, phases);
  return result;
}

}  // namespace lanescope::diagram
