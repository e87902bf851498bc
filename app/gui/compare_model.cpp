#include "gui/compare_model.h"

#include <algorithm>
#include <map>
#include <set>

#include "lesson/marks.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "metrics/steps.h"

namespace lanescope::gui {
namespace {

using trace::WarpEvent;

std::size_t most_telling(const trace::Trace& trace, std::span<const WarpEvent> events,
                         std::size_t first, std::size_t last) {
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
// instruction bears the lines of is then the part of the next one's pass that comes before its first store, where it loads.
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

using Key = std::pair<std::string, int>;
Key key_of(const PhasePass& pass) {
  return {pass.name, pass.number};
}

}  // namespace

std::vector<PhasePass> phase_passes(const trace::Trace& trace, const std::string& source,
                                    std::uint32_t block, std::uint32_t warp) {
  const auto events = trace.warp(block, warp);
  if (events.empty()) return {};
  const std::vector<lesson::Phase> phases = lesson::phases(source);
  std::vector<PhasePass> passes;
  if (phases.empty()) {
    passes.push_back(
        {"", 1, 1, 0, events.size() - 1, most_telling(trace, events, 0, events.size() - 1)});
    return passes;
  }
  std::set<std::uint32_t> seen, before;  // in this pass, in earlier ones of the same phase
  std::string current;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::Site& site = trace.sites[events[i].site];
    const std::string own = site.line > 0 ? lesson::phase_of(phases, site.line) : current;
    // The compiler moves instructions of no phase into the middle of one: they do not end it. A
    // function that a phase calls is of no phase either: its loops are the phase's.
    const std::string& name = own.empty() ? current : own;
    if (name.empty()) continue;
    // Back to before where the pass began: a loop around the one whose turns these passes are.
    const auto back = [&] {
      return before.contains(site.id) &&
             site.instruction < trace.sites[events[passes.back().first].site].instruction;
    };
    if (name != current) before.clear(), seen.clear();
    if (name != current || seen.contains(site.id) || back()) {
      passes.push_back({name, 1, 1, i, i, i});
      before.merge(seen);
      seen.clear();
    }
    seen.insert(site.id);
    passes.back().last = i;
    current = name;
  }
  passes = with_merged_phases(trace, events, phases, std::move(passes));
  std::map<std::string, int> counts;
  for (PhasePass& pass : passes) {
    pass.number = ++counts[pass.name];
    pass.telling = most_telling(trace, events, pass.first, pass.last);
  }
  for (PhasePass& pass : passes) pass.count = counts[pass.name];
  return passes;
}

// The longest common subsequence of the two lists of keys is what both do; the rest stands between.
std::vector<JointStep> joint_steps(const std::vector<PhasePass>& a,
                                   const std::vector<PhasePass>& b) {
  const std::size_t n = a.size(), m = b.size();
  std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (m + 1) + j];
  };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = key_of(a[i]) == key_of(b[j]) ? at(i + 1, j + 1) + 1
                                              : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<JointStep> steps;
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && key_of(a[i]) == key_of(b[j])) {
      steps.push_back({a[i].name, a[i].number, std::max(a[i].count, b[j].count), i, j});
      ++i, ++j;
    } else if (j >= m || (i < n && at(i + 1, j) >= at(i, j + 1))) {
      steps.push_back({a[i].name, a[i].number, a[i].count, i, std::nullopt});
      ++i;
    } else {
      steps.push_back({b[j].name, b[j].number, b[j].count, std::nullopt, j});
      ++j;
    }
  }
  return steps;
}

int BlockWork::busy_warps() const {
  return static_cast<int>(std::ranges::count_if(lanes, [](int count) { return count > 0; }));
}
int BlockWork::most_lanes() const {
  return lanes.empty() ? 0 : *std::ranges::max_element(lanes);
}

BlockWork block_work(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                     std::size_t event) {
  BlockWork work;
  if (event >= trace.warp(block, warp).size()) return work;
  for (const WarpEvent* other : metrics::across_warps(trace, block, warp, event))
    work.lanes.push_back(other == nullptr ? 0 : other->executed.count());
  return work;
}

std::vector<Teller> tellers_of(const trace::Trace& trace, const std::string& source, std::uint32_t block,
                               std::uint32_t warp, const std::vector<PhasePass>& passes) {
  std::vector<Teller> tellers;
  std::vector<std::int64_t> weights;
  for (const PhasePass& pass : passes) {
    tellers.push_back({warp, pass.telling});
    weights.push_back(event_weight(trace, trace.warp(block, warp)[pass.telling]));
  }
  const std::vector<std::int64_t> own = weights;
  if (std::ranges::none_of(own, [](std::int64_t weight) { return weight <= 0; })) return tellers;
  for (std::uint32_t other = 0; other < trace.launch.warps_per_block(); ++other) {
    if (other == warp) continue;
    const auto events = trace.warp(block, other);
    for (const PhasePass& pass : phase_passes(trace, source, block, other))
      for (std::size_t i = 0; i < passes.size(); ++i) {
        if (own[i] > 0 || key_of(passes[i]) != key_of(pass)) continue;
        const std::int64_t weight = event_weight(trace, events[pass.telling]);
        if (weight > weights[i]) tellers[i] = {other, pass.telling}, weights[i] = weight;
      }
  }
  return tellers;
}

std::optional<std::size_t> where_they_part(const Walk& a, const Walk& b,
                                           const std::vector<JointStep>& steps) {
  const auto events_a = a.trace.warp(a.block, a.warp), events_b = b.trace.warp(b.block, b.warp);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].a || !steps[i].b) return i;
    const std::size_t event_a = a.passes[*steps[i].a].telling,
                      event_b = b.passes[*steps[i].b].telling;
    const auto work = [](const Walk& walk, std::size_t pass, std::size_t event) {
      const Teller teller = walk.tellers != nullptr ? (*walk.tellers)[pass] : Teller{walk.warp, event};
      return block_work(walk.trace, walk.block, teller.warp, teller.event);
    };
    if (work(a, *steps[i].a, event_a) != work(b, *steps[i].b, event_b)) return i;
    if (metrics::cost(a.trace, events_a[event_a]) != metrics::cost(b.trace, events_b[event_b]))
      return i;
  }
  return std::nullopt;
}

trace::Totals totals_so_far(const trace::Trace& trace, const std::string& source,
                            std::uint32_t block, const std::vector<PhasePass>& passes,
                            std::size_t pass) {
  std::set<Key> reached;
  for (std::size_t i = 0; i <= pass && i < passes.size(); ++i) reached.insert(key_of(passes[i]));
  std::vector<std::uint32_t> end;  // of each warp: the first sequence number that is still to come
  for (std::uint32_t warp = 0; warp < trace.launch.warps_per_block(); ++warp) {
    const auto events = trace.warp(block, warp);
    std::uint32_t limit = 0;
    for (const PhasePass& p : phase_passes(trace, source, block, warp))
      if (reached.contains(key_of(p))) limit = events[p.last].sequence + 1;
    end.push_back(limit);
  }
  return metrics::recompute_totals(trace, [&](const WarpEvent& event) {
    return event.block == block && event.warp < end.size() && event.sequence < end[event.warp];
  });
}

Ratio ratio_of(const metrics::Measurement& a, const metrics::Measurement& b) {
  using Verdict = Ratio::Verdict;
  if (!a.applicable || !b.applicable) return {"–", Verdict::neutral};
  if (a.value == b.value) return {a.value == 0 ? "–" : ratio_text(1), Verdict::same};
  // A share of something used is better when larger. What was asked for, and what would do for it, is no price;
  // everything else here is one.
  const bool larger_is_better = a.unit == "%";
  const std::string number = a.name.substr(a.name.find('.') + 1);
  const bool asked = number.starts_with("ideal_") || number == "bytes_requested" || number == "executed_lanes";
  // A wider access moves more a request: no worse where both are as far from the least that they need.
  const bool as_good = a.unit.ends_with("/request") && a.ideal > 0 && b.ideal > 0 &&
                       a.value * b.ideal == b.value * a.ideal;
  const Verdict verdict = asked || as_good                          ? Verdict::neutral
                          : (b.value > a.value) == larger_is_better ? Verdict::better
                                                                    : Verdict::worse;
  if (a.value == 0) return {"", verdict, Ratio::Only::b};
  if (b.value == 0) return {"", verdict, Ratio::Only::a};
  return {ratio_text(b.value / a.value), verdict};
}

std::vector<CompareRow> compare_rows(const std::vector<metrics::Measurement>& a,
                                     const std::vector<metrics::Measurement>& b) {
  std::vector<CompareRow> rows;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if ((a[i].applicable && a[i].value != 0) || (b[i].applicable && b[i].value != 0))
      rows.push_back({a[i], b[i]});
  std::ranges::stable_partition(rows, [](const CompareRow& row) {
    return row.a.applicable != row.b.applicable || row.a.value != row.b.value;
  });
  return rows;
}

}  // namespace lanescope::gui
