#include "gui/compare/compare_model.h"

#include <algorithm>
#include <functional>

#include "metrics/request_cost.h"
#include "metrics/steps.h"

namespace lanescope::gui {
namespace {

using trace::MemorySpace;
using trace::WarpEvent;

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

bool alike(const Walk& a, const WarpEvent& of_a, const Walk& b, const WarpEvent& of_b) {
  return of_a.kind == of_b.kind && of_a.space == of_b.space &&
         a.trace.sites[of_a.site].operation == b.trace.sites[of_b.site].operation;
}

}  // namespace

bool is_access(const WarpEvent& event) {
  const bool memory =
      event.space == MemorySpace::global || event.space == MemorySpace::shared || event.space == MemorySpace::local;
  return event.kind == trace::EventKind::shuffle || (event.kind == trace::EventKind::memory && memory);
}

namespace {

// The longest ascending part of `places`, those that are there: indices into it, ascending.
std::vector<std::size_t> longest_ascending(const std::vector<std::optional<std::size_t>>& places) {
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> ends;  // of the parts of length 1, 2, …: the one that ends at the least place
  std::vector<std::size_t> before(places.size(), none);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    const auto at = std::ranges::lower_bound(ends, *places[i], {}, [&](std::size_t end) { return *places[end]; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end())
      ends.push_back(i);
    else
      *at = i;
  }
  std::vector<std::size_t> part;
  for (std::size_t i = ends.empty() ? none : ends.back(); i != none; i = before[i]) part.push_back(i);
  std::ranges::reverse(part);
  return part;
}

}  // namespace

// The longest common subsequence of the two lists of passes is what both do; the rest stands between. No list has a
// pass twice, so it is the longest ascending part of the places that the passes of the one have in the other.
std::vector<JointStep> joint_steps(const std::vector<PhasePass>& a, const std::vector<PhasePass>& b) {
  const PassIndex index(b);
  std::vector<std::optional<std::size_t>> places;
  for (const PhasePass& pass : a) places.push_back(index.find(pass));
  std::vector<JointStep> steps;
  std::size_t i = 0, j = 0;
  const auto up_to = [&](std::size_t end_a, std::size_t end_b) {
    for (; i < end_a; ++i) steps.push_back({a[i].name, a[i].number, a[i].count, i, std::nullopt, {}, 0});
    for (; j < end_b; ++j) steps.push_back({b[j].name, b[j].number, b[j].count, std::nullopt, j, {}, 0});
  };
  for (const std::size_t both : longest_ascending(places)) {
    up_to(both, *places[both]);
    steps.push_back({a[i].name, a[i].number, std::max(a[i].count, b[j].count), i, j, {}, 0});
    ++i, ++j;
  }
  up_to(a.size(), b.size());
  return steps;
}

void pair_accesses(const Walk& a, const Walk& b, JointStep& step) {
  step.accesses.clear(), step.telling = 0;
  const std::vector<std::size_t> of_a = accesses_of(a, step.a), of_b = accesses_of(b, step.b);
  const auto events_a = a.events(), events_b = b.events();
  for (const auto& [i, j] : aligned(of_a.size(), of_b.size(), [&](std::size_t x, std::size_t y) {
         return alike(a, events_a[of_a[x]], b, events_b[of_b[y]]);
       }))
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
    if (pair.a) weight += event_weight(a.trace, events_a[*pair.a]);
    if (pair.b) weight += event_weight(b.trace, events_b[*pair.b]);
    if (weight > best) best = weight, step.telling = i;
  }
}

void pair_accesses(const Walk& a, const Walk& b, std::vector<JointStep>& steps) {
  for (JointStep& step : steps) pair_accesses(a, b, step);
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

namespace {

// Of the warp whose step tells what the block does there.
BlockWork work_at(const Walk& walk, std::size_t pass, std::size_t event) {
  const bool own = walk.tellers == nullptr || event != walk.passes[pass].telling;
  const Teller teller = own ? Teller{walk.warp, event} : (*walk.tellers)[pass];
  return walk.block_steps == nullptr ? block_work(walk.trace, walk.block, teller.warp, teller.event)
                                     : block_work(walk.block_steps->across(walk.trace, teller.warp, teller.event));
}

}  // namespace

std::optional<std::size_t> where_they_part(const Walk& a, const Walk& b, const std::vector<JointStep>& steps,
                                           const std::function<bool()>& stop) {
  const auto events_a = a.events(), events_b = b.events();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].a || !steps[i].b) return i;
    if (stop && stop()) return std::nullopt;
    JointStep step = steps[i];
    if (step.accesses.empty()) pair_accesses(a, b, step);
    const AccessPair& telling = step.accesses[step.telling];
    if (!telling.a || !telling.b) return i;
    const std::size_t event_a = *telling.a, event_b = *telling.b;
    if (metrics::cost(a.trace, events_a[event_a]) != metrics::cost(b.trace, events_b[event_b])) return i;
    if (work_at(a, *step.a, event_a) != work_at(b, *step.b, event_b)) return i;
  }
  return std::nullopt;
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
