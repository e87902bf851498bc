// Summaries of many steps, compared with a walk over each step.

#include "metrics/step_pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "metrics/request_cost.h"
#include "unit/trace/trace_builder.h"

namespace lanescope::metrics::test {
namespace {

using trace::EventKind;
using trace::MemorySpace;
using trace::Operation;
using trace::Trace;
using trace::WarpEvent;

// Loads with strides from 4 to 128 bytes, shared loads, branches both ways, barriers, in a random order.
Trace random_trace(std::size_t steps, unsigned seed) {
  std::mt19937 random(seed);
  trace::test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
  const std::uint32_t load = b.access_site(MemorySpace::global, Operation::load, 4, "ld.global.f32", 3);
  const std::uint32_t shared = b.access_site(MemorySpace::shared, Operation::load, 4, "ld.shared.f32", 4);
  const std::uint32_t branch = b.site(EventKind::branch, "bra", 5);
  const std::uint32_t barrier = b.site(EventKind::barrier, "bar.sync", 6);
  b.warp(0, 0);
  const LaneMask low = LaneMask::first(16);
  for (std::size_t i = 0; i < steps; ++i) {
    const unsigned kind = random() % 8;
    if (kind == 0)
      b.event(branch, LaneMask::all(), random() % 50 == 0 ? low : LaneMask::all());
    else if (kind == 1)
      b.event(barrier, LaneMask::all());
    else if (kind == 2)
      b.affine(shared, LaneMask::all(), LaneMask::all(), 0, random() % 40 == 0 ? 128 : 4);
    else
      b.affine(load, LaneMask::all(), random() % 9 == 0 ? low : LaneMask::all(), 0x1000,
               4 << (random() % 300 == 0 ? 3 : random() % 2));
  }
  return b.finish();
}

std::uint32_t paid(const Trace& trace, const WarpEvent& event) {
  const RequestCost of = cost(trace, event);
  return event.space == MemorySpace::shared ? of.wavefronts - of.ideal_wavefronts : of.sectors - of.ideal_sectors;
}

StepPyramid built(const Trace& trace, std::size_t at_once, std::vector<std::uint8_t> groups = {}) {
  StepPyramid all(trace, 0, 0, std::move(groups));
  while (all.extend(at_once)) {
  }
  return all;
}

TEST(StepPyramid, SummariesAreThoseOfTheirSteps) {
  std::mt19937 random(3);
  for (const std::size_t steps : {1u, 15u, 16u, 17u, 64u, 1000u, 4099u}) {
    const Trace trace = random_trace(steps, 7);
    const StepPyramid all = built(trace, 100);
    const auto events = trace.warp(0, 0);
    for (int i = 0; i < 200; ++i) {
      std::size_t first = random() % steps, last = first + 1 + random() % (steps - first);
      if (i % 2 == 0) {  // as the film asks
        const std::size_t grain = StepPyramid::grain(last - first);
        first = first / grain * grain, last = std::min(steps, std::max(first + grain, last / grain * grain));
      }
      StepSummary want;
      want.busy_all = LaneMask::all();
      for (std::size_t k = first; k < last; ++k) {
        const LaneMask busy = events[k].kind == EventKind::branch ? events[k].active : events[k].executed;
        want.active_any = want.active_any | events[k].active;
        want.busy_any = want.busy_any | busy, want.busy_all = want.busy_all & busy;
        want.fewest = std::min<std::uint8_t>(want.fewest, static_cast<std::uint8_t>(busy.count()));
        want.most = std::max<std::uint8_t>(want.most, static_cast<std::uint8_t>(busy.count()));
        want.kinds |= static_cast<std::uint8_t>(1u << static_cast<int>(events[k].kind));
        want.divergent |= is_divergent(events[k]);
        const auto cost = static_cast<std::uint16_t>(paid(trace, events[k]));
        (events[k].space == MemorySpace::shared ? want.conflicts : want.sectors) =
            std::max(events[k].space == MemorySpace::shared ? want.conflicts : want.sectors, cost);
      }
      const StepSummary got = all.of(first, last);
      EXPECT_EQ(got.active_any, want.active_any);
      EXPECT_EQ(got.busy_any, want.busy_any);
      EXPECT_EQ(got.busy_all, want.busy_all);
      EXPECT_EQ(got.fewest, want.fewest);
      EXPECT_EQ(got.most, want.most);
      EXPECT_EQ(got.kinds, want.kinds);
      EXPECT_EQ(got.divergent, want.divergent);
      EXPECT_EQ(got.sectors, want.sectors) << first << " to " << last << " of " << steps;
      EXPECT_EQ(got.conflicts, want.conflicts);
    }
  }
}

TEST(StepPyramid, FindsTheNextAndThePreviousAsAWalkDoes) {
  const Trace trace = random_trace(5000, 11);
  const StepPyramid all = built(trace, 5000);
  const auto events = trace.warp(0, 0);
  std::vector<std::size_t> divergent;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].kind == EventKind::branch && events[i].executed != LaneMask::all()) divergent.push_back(i);
  ASSERT_GT(divergent.size(), 3u);
  ASSERT_LT(divergent.size(), 50u) << "seldom enough that most summaries have none";
  const auto may_have = [](const StepSummary& of) { return of.divergent; };
  for (std::size_t from = 0; from <= events.size(); from += 7) {
    const auto after = std::ranges::lower_bound(divergent, from);
    EXPECT_EQ(all.next(from, may_have, is_divergent), after == divergent.end() ? std::nullopt : std::optional(*after));
    EXPECT_EQ(all.previous(from, may_have, is_divergent),
              after == divergent.begin() ? std::nullopt : std::optional(*std::prev(after)));
  }
}

TEST(StepPyramid, GoesFromTheWorstRequestToTheLeastBadOne) {
  const Trace trace = random_trace(3000, 5);
  const StepPyramid all = built(trace, 64);
  const auto events = trace.warp(0, 0);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].kind == EventKind::memory && paid(trace, events[i]) > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return paid(trace, events[i]); });
  std::set<std::uint32_t> different;
  for (const std::size_t i : order) different.insert(paid(trace, events[i]));
  ASSERT_GE(different.size(), 3u);
  ASSERT_EQ(paid(trace, events[order.front()]), 31u) << "one bank for all: 32 passes";
  std::size_t none = 0;
  while (paid(trace, events[none]) > 0) ++none;
  EXPECT_EQ(all.next_worst(none), order.front());
  EXPECT_EQ(all.previous_worst(none), order.back());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    ASSERT_EQ(all.next_worst(order[i]), order[i + 1]);
    ASSERT_EQ(all.previous_worst(order[i + 1]), order[i]);
  }
  EXPECT_EQ(all.next_worst(order.back()), std::nullopt);
  EXPECT_EQ(all.previous_worst(order.front()), std::nullopt);
}

TEST(StepPyramid, AStepOfNoGroupIsOfTheGroupBeforeIt) {
  trace::test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
  const std::uint32_t first = b.site(EventKind::barrier, "bar.sync", 1), helper = b.site(EventKind::vote, "vote", 9),
                      second = b.site(EventKind::barrier, "bar.sync", 2);
  b.warp(0, 0);
  b.event(helper, LaneMask::all());
  for (int i = 0; i < 40; ++i) b.event(i == 0 ? first : helper, LaneMask::all());
  for (int i = 0; i < 40; ++i) b.event(i == 0 ? second : helper, LaneMask::all());
  const Trace trace = b.finish();
  const StepPyramid all = built(trace, 16, {1, 0, 2});
  EXPECT_EQ(all.group(0), 0);
  EXPECT_EQ(all.group(1), 1);
  EXPECT_EQ(all.group(40), 1);
  EXPECT_EQ(all.group(41), 2);
  EXPECT_EQ(all.group(80), 2);
  EXPECT_EQ(all.of(1, 41).group, 1);
  EXPECT_EQ(all.of(16, 32).group, 1);
  EXPECT_EQ(all.of(41, 81).group, 2);
  EXPECT_EQ(all.of(30, 60).group, StepSummary::mixed);
}

TEST(StepPyramid, TakesThreeBytesOfAStep) {
  const Trace trace = random_trace(100'000, 1);
  EXPECT_LE(built(trace, 1000).bytes(), 300'000u);
}

TEST(StepPyramid, KnowsWhoComesBack) {
  trace::test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
  const std::uint32_t site = b.site(EventKind::barrier, "bar.sync", 1);
  b.warp(0, 0);
  for (int i = 0; i < 100; ++i) b.event(site, i < 50 ? LaneMask::all() : LaneMask::first(8));
  const Trace trace = b.finish();
  const StepPyramid all = built(trace, 1000);
  EXPECT_EQ(all.active_after(48), LaneMask::all());
  EXPECT_EQ(all.active_after(49), LaneMask::first(8));
  EXPECT_EQ(all.active_after(99), LaneMask::none());
  EXPECT_EQ(all.short_steps(), 50u);
}

// 32 lanes at one address: a load is served at once. The lanes of an atomic wait for each other, but for those on
// shared memory that ptxas combines.
TEST(StepPyramid, CountsTheQueueAtTheAddressOfAnAtomic) {
  trace::test::TraceBuilder b({1, 1, 1}, {32, 1, 1});
  const std::uint32_t load = b.access_site(MemorySpace::global, Operation::load, 4, "ld.global.f32", 3);
  const std::uint32_t add = b.access_site(MemorySpace::global, Operation::reduction, 4, "red.global.add.f32", 4);
  const std::uint32_t combined = b.access_site(MemorySpace::shared, Operation::atomic, 4, "atom.shared.add.u32", 5);
  const std::uint32_t shared = b.access_site(MemorySpace::shared, Operation::atomic, 4, "atom.shared.add.u32", 6);
  b.warp(0, 0);
  b.affine(load, LaneMask::all(), LaneMask::all(), 0x1000, 0);
  b.affine(add, LaneMask::all(), LaneMask::first(7), 0x1000, 0);
  b.affine(add, LaneMask::all(), LaneMask::all(), 0x1000, 4);
  b.affine(combined, LaneMask::all(), LaneMask::all(), 0, 0);
  b.affine(shared, LaneMask::all(), LaneMask::all(), 0, 0);
  b.affine(add, LaneMask::all(), LaneMask::none(), 0x1000, 0);
  Trace trace = b.finish();
  trace.sites[shared].turns = trace::Turns::lanes;
  const auto events = trace.warp(0, 0);
  const std::vector<std::uint32_t> waiting{0, 6, 0, 0, 31, 0};
  const StepPyramid all = built(trace, 64);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    EXPECT_EQ(excess(trace, events[i]), waiting[i]) << i;
    EXPECT_EQ(all.of(i, i + 1).worst(), waiting[i]) << i;
  }
  EXPECT_EQ(all.next_worst(0), std::optional<std::size_t>(4));
}

}  // namespace
}  // namespace lanescope::metrics::test
