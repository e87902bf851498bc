#include "gui/compare/compare_model.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "lesson/marks.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"
#include "metrics/steps.h"

namespace lanescope::gui {
namespace {

using trace::MemorySpace;
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

using Key = std::pair<std::string, int>;
Key key_of(const PhasePass& pass) {
  return {pass.name, pass.number};
}

// What the longest common subsequence of two lists holds, and what stands between, in order: (index of a, index of b).
std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> aligned(
    std::size_t n, std::size_t m, const std::function<bool(std::size_t, std::size_t)>& alike) {
  std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = alike(i, j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> rows;
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && alike(i, j))
      rows.emplace_back(i++, j++);
    else if (j >= m || (i < n && at(i + 1, j) >= at(i, j + 1)))
      rows.emplace_back(i++, std::nullopt);
    else
      rows.emplace_back(std::nullopt, j++);
  }
  return rows;
}

// The accesses of a pass; of a long one, a loop that is one pass, the first.
std::vector<std::size_t> accesses_of(const Walk& walk, const std::optional<std::size_t>& pass) {
  constexpr std::size_t most = 512;
  std::vector<std::size_t> found;
  if (!pass) return found;
  const auto events = walk.events();
  const PhasePass& of = walk.passes[*pass];
  for (std::size_t i = of.first; i <= of.last && found.size() < most; ++i)
    if (is_access(events[i])) found.push_back(i);
  return found;
}

bool alike(const Walk& a, std::size_t event_a, const Walk& b, std::size_t event_b) {
  const trace::WarpEvent &of_a = a.events()[event_a], &of_b = b.events()[event_b];
  return of_a.kind == of_b.kind && of_a.space == of_b.space &&
         a.trace.sites[of_a.site].operation == b.trace.sites[of_b.site].operation;
}

}  // namespace

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
  std::set<std::uint32_t> seen, before;  // in this pass, in earlier ones of the same phase
  std::string current;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::Site& site = trace.sites[events[i].site];
    const std::string own = site.line > 0 ? lesson::phase_of(phases, site.line) : current;
    // The compiler moves instructions of no phase into the middle of one: they do not end it. A function that a phase
    // calls is of no phase either: its loops are the phase's.
    const std::string& name = own.empty() ? current : own;
    if (name.empty()) continue;
    // Back to before where the pass began: a loop around the one whose turns these passes are.
    const auto back = [&] {
      return before.contains(site.id) && site.instruction < trace.sites[events[passes.back().first].site].instruction;
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

bool is_access(const WarpEvent& event) {
  const bool memory =
      event.space == MemorySpace::global || event.space == MemorySpace::shared || event.space == MemorySpace::local;
  return event.kind == trace::EventKind::shuffle || (event.kind == trace::EventKind::memory && memory);
}

// The longest common subsequence of the two lists of keys is what both do; the rest stands between.
std::vector<JointStep> joint_steps(const std::vector<PhasePass>& a, const std::vector<PhasePass>& b) {
  std::vector<JointStep> steps;
  for (const auto& [i, j] : aligned(a.size(), b.size(), [&](std::size_t of_a, std::size_t of_b) {
         return key_of(a[of_a]) == key_of(b[of_b]);
       })) {
    const PhasePass& pass = i ? a[*i] : b[*j];
    steps.push_back({pass.name, pass.number, std::max(i ? a[*i].count : 0, j ? b[*j].count : 0), i, j, {}, 0});
  }
  return steps;
}

void pair_accesses(const Walk& a, const Walk& b, std::vector<JointStep>& steps) {
  for (JointStep& step : steps) {
    step.accesses.clear(), step.telling = 0;
    const std::vector<std::size_t> of_a = accesses_of(a, step.a), of_b = accesses_of(b, step.b);
    for (const auto& [i, j] :
         aligned(of_a.size(), of_b.size(), [&](std::size_t x, std::size_t y) { return alike(a, of_a[x], b, of_b[y]); }))
      step.accesses.push_back({i ? std::optional(of_a[*i]) : std::nullopt, j ? std::optional(of_b[*j]) : std::nullopt});
    // A side that makes no access there is shown all the same.
    const bool lacks_a = step.a && of_a.empty(), lacks_b = step.b && of_b.empty();
    if (step.accesses.empty()) step.accesses.emplace_back();
    for (AccessPair& pair : step.accesses) {
      if (lacks_a) pair.a = a.passes[*step.a].telling;
      if (lacks_b) pair.b = b.passes[*step.b].telling;
    }
    std::int64_t best = -1;
    for (std::size_t i = 0; i < step.accesses.size(); ++i) {
      const AccessPair& pair = step.accesses[i];
      std::int64_t weight = pair.a && pair.b ? std::int64_t{1} << 40 : 0;  // before all that one makes alone
      if (pair.a) weight += event_weight(a.trace, a.events()[*pair.a]);
      if (pair.b) weight += event_weight(b.trace, b.events()[*pair.b]);
      if (weight > best) best = weight, step.telling = i;
    }
  }
}

int BlockWork::busy_warps() const {
  return static_cast<int>(std::ranges::count_if(lanes, [](int count) { return count > 0; }));
}
int BlockWork::most_lanes() const {
  return lanes.empty() ? 0 : *std::ranges::max_element(lanes);
}

BlockWork block_work(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp, std::size_t event) {
  if (event >= trace.warp(block, warp).size()) return {};
  return block_work(metrics::across_warps(trace, block, warp, event));
}

BlockWork block_work(const std::vector<const WarpEvent*>& events) {
  BlockWork work;
  for (const WarpEvent* one : events) work.lanes.push_back(one == nullptr ? 0 : one->executed.count());
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

std::optional<std::size_t> where_they_part(const Walk& a, const Walk& b, const std::vector<JointStep>& steps) {
  const auto events_a = a.trace.warp(a.block, a.warp), events_b = b.trace.warp(b.block, b.warp);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].a || !steps[i].b) return i;
    const AccessPair& telling = steps[i].accesses[steps[i].telling];
    if (!telling.a || !telling.b) return i;
    const std::size_t event_a = *telling.a, event_b = *telling.b;
    const auto work = [](const Walk& walk, std::size_t pass, std::size_t event) {
      const bool own = walk.tellers == nullptr || event != walk.passes[pass].telling;
      const Teller teller = own ? Teller{walk.warp, event} : (*walk.tellers)[pass];
      return block_work(walk.trace, walk.block, teller.warp, teller.event);
    };
    if (work(a, *steps[i].a, event_a) != work(b, *steps[i].b, event_b)) return i;
    if (metrics::cost(a.trace, events_a[event_a]) != metrics::cost(b.trace, events_b[event_b])) return i;
  }
  return std::nullopt;
}

trace::Totals totals_so_far(const trace::Trace& trace, const std::string& source, std::uint32_t block,
                            const std::vector<PhasePass>& passes, std::size_t pass) {
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
  // A wider access moves more a request: no worse where both are as far from the least that they need.
  const bool as_good =
      a.unit.ends_with("/request") && a.ideal > 0 && b.ideal > 0 && a.value * b.ideal == b.value * a.ideal;
  const bool more_is_better = a.better == metrics::Better::more;
  const Verdict verdict = a.better == metrics::Better::neutral || as_good ? Verdict::neutral
                          : (b.value > a.value) == more_is_better         ? Verdict::better
                                                                          : Verdict::worse;
  if (a.value == 0) return {"", verdict, Ratio::Only::b};
  if (b.value == 0) return {"", verdict, Ratio::Only::a};
  return {ratio_text(b.value / a.value), verdict};
}

std::vector<CompareRow> compare_rows(const std::vector<metrics::Measurement>& a,
                                     const std::vector<metrics::Measurement>& b) {
  std::vector<CompareRow> rows;
  const auto happened = [](const metrics::Measurement& one) { return one.applicable && one.value != 0; };
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const bool of_both = a[i].origin == b[i].origin || a[i].memory_class;
    if (of_both && (happened(a[i]) || happened(b[i]))) rows.push_back({a[i], b[i]});
  }
  std::stable_partition(rows.begin(), rows.end(), [](const CompareRow& row) {
    return row.a.applicable != row.b.applicable || row.a.value != row.b.value;
  });
  return rows;
}

}  // namespace lanescope::gui
