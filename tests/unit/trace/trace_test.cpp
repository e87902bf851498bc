#include "trace/trace.h"

#include <gtest/gtest.h>

#include <set>

#include "random_trace.h"

namespace lanescope::trace {
namespace {

TEST(Trace, AddressesOfAffineEventsCountFromTheLowestExecutedLane) {
  Trace trace;
  WarpEvent event;
  event.kind = EventKind::memory;
  event.executed = {0xf0u};
  event.first_address = 1000;
  event.stride = -8;
  EXPECT_EQ(trace.address(event, 4), 1000u);
  EXPECT_EQ(trace.address(event, 7), 1000u - 24);
  event.stride = INT32_MIN;
  EXPECT_EQ(trace.address(event, 7), 1000u - 3 * (std::uint64_t{1} << 31));
}

TEST(Trace, AddressesOfOtherEventsBelongToTheNthExecutedLane) {
  Trace trace;
  trace.addresses = {1, 2, 30, 40, 50};
  WarpEvent event;
  event.kind = EventKind::memory;
  event.executed = {0x80000011u};
  event.side = 2;
  EXPECT_EQ(trace.address(event, 0), 30u);
  EXPECT_EQ(trace.address(event, 4), 40u);
  EXPECT_EQ(trace.address(event, 31), 50u);
  const auto all = trace.lane_addresses(event);
  EXPECT_EQ(all[0], 30u);
  EXPECT_EQ(all[4], 40u);
  EXPECT_EQ(all[31], 50u);
}

TEST(Trace, EventsOfAWarp) {
  const Trace trace = test::random_trace(7, 20, 5);
  std::size_t found = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> warps;
  for (const WarpEvent& event : trace.events) warps.insert({event.block, event.warp});
  for (const auto& [block, warp] : warps) {
    for (const WarpEvent& event : trace.warp(block, warp)) {
      EXPECT_EQ(event.block, block);
      EXPECT_EQ(event.warp, warp);
      ++found;
    }
  }
  EXPECT_EQ(found, trace.events.size());
  EXPECT_TRUE(trace.warp(4'000'000'000u, 0).empty());
  EXPECT_TRUE(Trace{}.warp(0, 0).empty());
}

TEST(Totals, AddUp) {
  Totals a = test::random_trace(1).totals, b = a;
  EXPECT_EQ(a, b);
  Totals sum;
  sum += a;
  EXPECT_EQ(sum, a);
  sum += b;
  EXPECT_EQ(sum.lane_instructions, 2 * a.lane_instructions);
  EXPECT_EQ(sum.of(MemoryClass::shared_atomic).wavefronts, 2 * a.of(MemoryClass::shared_atomic).wavefronts);
  EXPECT_EQ(sum.sites[0].memory.sectors, 2 * a.sites[0].memory.sectors);
  EXPECT_EQ(sum.sites[0].divergent, 2 * a.sites[0].divergent);
}

TEST(Totals, SimtEfficiency) {
  Totals totals;
  EXPECT_EQ(totals.simt_efficiency(), 1);
  totals.warp_instructions = 4;
  totals.lane_instructions = 64;
  EXPECT_EQ(totals.simt_efficiency(), 0.5);
}

TEST(MemoryClass, FollowsSpaceAndOperation) {
  using M = MemorySpace;
  using O = Operation;
  EXPECT_EQ(class_of(M::global, O::load), MemoryClass::global_load);
  EXPECT_EQ(class_of(M::global, O::store), MemoryClass::global_store);
  EXPECT_EQ(class_of(M::global, O::atomic), MemoryClass::global_atomic);
  EXPECT_EQ(class_of(M::global, O::reduction), MemoryClass::global_reduction);
  EXPECT_EQ(class_of(M::global, O::async_copy), MemoryClass::global_load);
  EXPECT_EQ(class_of(M::shared, O::load), MemoryClass::shared_load);
  EXPECT_EQ(class_of(M::shared, O::store), MemoryClass::shared_store);
  EXPECT_EQ(class_of(M::shared, O::async_copy), MemoryClass::shared_store);
  EXPECT_EQ(class_of(M::shared, O::atomic), MemoryClass::shared_atomic);
  EXPECT_EQ(class_of(M::shared, O::reduction), MemoryClass::shared_atomic);
  EXPECT_EQ(class_of(M::local, O::load), MemoryClass::local_load);
  EXPECT_EQ(class_of(M::local, O::store), MemoryClass::local_store);
  EXPECT_EQ(class_of(M::constant, O::load), MemoryClass::constant_load);
  EXPECT_EQ(class_of(M::param, O::load), MemoryClass::param_load);
  EXPECT_EQ(class_of(M::distributed, O::load), MemoryClass::distributed_load);
  EXPECT_EQ(class_of(M::distributed, O::store), MemoryClass::distributed_store);
  EXPECT_EQ(class_of(M::distributed, O::atomic), MemoryClass::distributed_atomic);
  EXPECT_EQ(class_of(M::distributed, O::reduction), MemoryClass::distributed_atomic);
}

TEST(MemoryClass, NamesAreTheKeysOfTheJson) {
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(MemoryClass::count_); ++i) names.insert(name_of(static_cast<MemoryClass>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(MemoryClass::count_));
  for (const char* fixed : {"global_load", "global_store", "global_atomic", "global_reduction", "local_load",
                            "local_store", "shared_load", "shared_store", "shared_atomic"})
    EXPECT_TRUE(names.count(fixed)) << fixed;
}

}  // namespace
}  // namespace lanescope::trace
