// The passes of a warp through the phases of its source, and whose step shows what a block does in one.

#include <algorithm>
#include <map>

#include "gui/compare/compare_model.h"
#include "lesson/marks.h"

namespace lanescope::gui {
namespace {

using trace::WarpEvent;

std::size_t most_telling(const trace::Trace& trace, std::span<const WarpEvent> events, std::size_t first,
                         std::size_t last) {
  std::size_t best = first;
  std::int64_t best_weight = -1;
  for (std::size_t i = first; i <= last; ++i) {
    const std::int64_t weight = event_weight(trace, events[i]);
    if (weight > best_weight) best = i, best_weight = weight;
  }
  return best;
}

bool is_store(const trace::Trace& trace, const WarpEvent& event) {
  return trace.sites[event.site].operation == trace::Operation::store;
}
bool is_load(const trace::Trace& trace, const WarpEvent& event) {
  const trace::Site& site = trace.sites[event.site];
  return site.kind == trace::EventKind::memory && site.operation == trace::Operation::load;
}

// A copy of a whole struct is compiled to a load and a store that both bear the line of the store. A phase that no
// instruction bears the lines of is then the part of the next one's pass that comes before its first store, where it
// loads.
std::vector<PhasePass> with_merged_phases(const trace::Trace& trace, std::span<const WarpEvent> events,
                                          const std::vector<lesson::Phase>& phases, std::vector<PhasePass> passes) {
  for (std::size_t p = 0; p + 1 < phases.size(); ++p) {
    const auto bears = [&](const trace::Site& site) {
      return phases[p].lines.first <= site.line && site.line <= phases[p].lines.last;
    };
    if (std::ranges::any_of(trace.sites, bears)) continue;
    std::vector<PhasePass> split;
    for (PhasePass& pass : passes) {
      const std::size_t end = pass.last + 1;
      std::size_t store = pass.first;
      while (store < end && !is_store(trace, events[store])) ++store;
      const bool loads = std::any_of(events.begin() + static_cast<std::ptrdiff_t>(pass.first),
                                     events.begin() + static_cast<std::ptrdiff_t>(store),
                                     [&](const WarpEvent& event) { return is_load(trace, event); });
      if (pass.name == phases[p + 1].name && loads && store < end) {
        split.push_back({phases[p].name, 1, 1, pass.first, store - 1, pass.first});
        pass.first = store;
      }
      split.push_back(std::move(pass));
    }
    passes = std::move(split);
  }
  return passes;
}

// By site: the first phase of that name among `phases`, or −1.
std::vector<int> phase_of_sites(const trace::Trace& trace, const std::vector<lesson::Phase>& phases) {
  std::vector<int> of(trace.sites.size(), -1);
  for (std::size_t site = 0; site < of.size(); ++site) {
    if (trace.sites[site].line <= 0) continue;
    const std::string name = lesson::phase_of(phases, trace.sites[site].line);
    if (name.empty()) continue;
    of[site] = static_cast<int>(std::ranges::find(phases, name, &lesson::Phase::name) - phases.begin());
  }
  return of;
}

// Without their numbers and telling events.
std::vector<PhasePass> passes_through(const trace::Trace& trace, std::span<const WarpEvent> events,
                                      const std::vector<lesson::Phase>& phases) {
  const std::vector<int> phase_of = phase_of_sites(trace, phases);
  std::vector<std::size_t> seen_in(trace.sites.size());  // the last pass in which a site came up, from 1
  std::vector<PhasePass> passes;
  int current = -1;
  std::size_t first_of_phase = 1;  // the first pass since the phase was entered, from 1
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::uint32_t site = events[i].site;
    // The compiler moves instructions of no phase into the middle of one: they do not end it. A function that a phase
    // calls is of no phase either: its loops are the phase's.
    const int phase = phase_of[site] < 0 ? current : phase_of[site];
    if (phase < 0) continue;
    const bool again = !passes.empty() && seen_in[site] == passes.size();
    // Back to before where the pass began: a loop around the one whose turns these passes are.
    const auto back = [&] {
      return seen_in[site] >= first_of_phase && seen_in[site] < passes.size() &&
             trace.sites[site].instruction < trace.sites[events[passes.back().first].site].instruction;
    };
    if (phase != current || again || back()) {
      passes.push_back({phases[static_cast<std::size_t>(phase)].name, 1, 1, i, i, i});
      if (phase != current) first_of_phase = passes.size();
    }
    seen_in[site] = passes.size();
    passes.back().last = i;
    current = phase;
  }
  return passes;
}

}  // namespace

PassIndex::PassIndex(const std::vector<PhasePass>& passes) {
  for (std::size_t i = 0; i < passes.size(); ++i) by_name_[passes[i].name].push_back(i);
}

std::optional<std::size_t> PassIndex::find(const PhasePass& like) const {
  const auto of_name = by_name_.find(like.name);
  const auto at = static_cast<std::size_t>(like.number) - 1;
  if (of_name == by_name_.end() || at >= of_name->second.size()) return std::nullopt;
  return of_name->second[at];
}

std::vector<PhasePass> phase_passes(const trace::Trace& trace, const std::string& source, std::uint32_t block,
                                    std::uint32_t warp) {
  const auto events = trace.warp(block, warp);
  if (events.empty()) return {};
  const std::vector<lesson::Phase> phases = lesson::phases(source);
  std::vector<PhasePass> passes;
  if (phases.empty()) {
    passes.push_back({"", 1, 1, 0, events.size() - 1, most_telling(trace, events, 0, events.size() - 1)});
    return passes;
  }
  passes = with_merged_phases(trace, events, phases, passes_through(trace, events, phases));
  std::map<std::string, int> counts;
  for (PhasePass& pass : passes) {
    pass.number = ++counts[pass.name];
    pass.telling = most_telling(trace, events, pass.first, pass.last);
  }
  for (PhasePass& pass : passes) pass.count = counts[pass.name];
  return passes;
}

std::vector<std::vector<PhasePass>> passes_of_block(const trace::Trace& trace, const std::string& source,
                                                    std::uint32_t block) {
  std::vector<std::vector<PhasePass>> of_warps;
  for (std::uint32_t warp = 0; warp < trace.launch.warps_per_block(); ++warp)
    of_warps.push_back(phase_passes(trace, source, block, warp));
  return of_warps;
}

std::vector<Teller> tellers_of(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                               const std::vector<std::vector<PhasePass>>& of_warps) {
  const std::vector<PhasePass>& passes = of_warps[warp];
  std::vector<Teller> tellers;
  std::vector<std::int64_t> weights;
  for (const PhasePass& pass : passes) {
    tellers.push_back({warp, pass.telling});
    weights.push_back(event_weight(trace, trace.warp(block, warp)[pass.telling]));
  }
  const std::vector<std::int64_t> own = weights;
  if (std::ranges::none_of(own, [](std::int64_t weight) { return weight <= 0; })) return tellers;
  const PassIndex index(passes);
  for (std::uint32_t other = 0; other < of_warps.size(); ++other) {
    if (other == warp) continue;
    const auto events = trace.warp(block, other);
    for (const PhasePass& pass : of_warps[other]) {
      const std::optional<std::size_t> i = index.find(pass);
      if (!i || own[*i] > 0) continue;
      const std::int64_t weight = event_weight(trace, events[pass.telling]);
      if (weight > weights[*i]) tellers[*i] = {other, pass.telling}, weights[*i] = weight;
    }
  }
  return tellers;
}

}  // namespace lanescope::gui
