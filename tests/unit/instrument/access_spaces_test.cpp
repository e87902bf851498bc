// Which memory a recorded address belongs to, where a GPU's windows lie and its blocks form clusters.

#include "instrument/access_spaces.h"

#include <gtest/gtest.h>

namespace lanescope::instrument {
namespace {

using trace::MemorySpace;

constexpr std::uint64_t shared_window = 0x7f12'0000'0000, local_window = 0x7f12'4000'0000;

class AccessesInClusters : public testing::Test {
 protected:
  // Adds an access by the lanes of `addresses`, which block 5 of a grid of 4 × 2 makes. The clusters are of 2 × 2
  // blocks, so it has the rank 3.
  trace::Trace added(MemorySpace declared, const std::vector<std::uint64_t>& addresses, Dim3 cluster = {2, 2, 1},
                     trace::Operation operation = trace::Operation::load) {
    const trace::Launch launch{.grid = {4, 2, 1}, .block = {32}, .cluster = cluster};
    trace::WarpEvent access;
    access.kind = trace::EventKind::memory;
    access.block = 5;
    access.executed = access.active = LaneMask::first(static_cast<int>(addresses.size()));
    std::array<std::uint64_t, MemoryModel::lanes> lanes{};
    std::copy(addresses.begin(), addresses.end(), lanes.begin());
    trace::Trace out;
    out.sites.emplace_back().operation = operation;
    out.sites.back().width = 4;
    AccessSpaces({shared_window, local_window}, launch).add(out, access, declared, lanes);
    return out;
  }
  static void expect(const trace::Trace& trace, std::size_t index, MemorySpace space, std::uint32_t lanes,
                     std::uint64_t first, std::int32_t stride) {
    ASSERT_LT(index, trace.events.size());
    const trace::WarpEvent& event = trace.events[index];
    EXPECT_EQ(event.space, space);
    EXPECT_EQ(event.executed.bits, lanes);
    EXPECT_EQ(event.first_address, first);
    EXPECT_EQ(event.stride, stride);
    EXPECT_TRUE(event.affine());
  }
};

TEST_F(AccessesInClusters, TheOwnSharedMemoryHasNoRank) {
  for (const MemorySpace declared : {MemorySpace::shared, MemorySpace::distributed}) {
    const trace::Trace own = added(declared, {0x3000400, 0x3000404, 0x3000408});
    EXPECT_EQ(own.events.size(), 1u);
    expect(own, 0, MemorySpace::shared, 7, 0x400, 4);
  }
  const trace::Trace generic = added(MemorySpace::none, {shared_window + 0x3000400, shared_window + 0x3000410});
  EXPECT_EQ(generic.events.size(), 1u);
  expect(generic, 0, MemorySpace::shared, 3, 0x400, 16);
}

// However many other blocks there are, theirs is one event.
TEST_F(AccessesInClusters, TheOwnMemoryAndThatOfOthersAreApart) {
  const trace::Trace several = added(MemorySpace::distributed, {0x1000400, 0x3000404, 0x1000408, 0x0000400});
  ASSERT_EQ(several.events.size(), 2u);
  expect(several, 1, MemorySpace::shared, 0b10, 0x404, 0);
  EXPECT_EQ(several.events[0].space, MemorySpace::distributed);
  EXPECT_EQ(several.events[0].executed.bits, 0b1101u);
  EXPECT_EQ(several.address(several.events[0], 0), 0x1000400u);
  EXPECT_EQ(several.address(several.events[0], 2), 0x1000408u);
  EXPECT_EQ(several.address(several.events[0], 3), 0x400u);
}

TEST_F(AccessesInClusters, AGenericAddressMayBeAnything) {
  const trace::Trace mixed =
      added(MemorySpace::none, {0x7f00'0000'1000, shared_window + 0x2000400, local_window + 0x40, 0x7f00'0000'100c});
  EXPECT_EQ(mixed.events.size(), 3u);
  expect(mixed, 0, MemorySpace::global, 0b1001, 0x7f00'0000'1000, 4);
  expect(mixed, 1, MemorySpace::distributed, 0b10, 0x2000400, 0);
  expect(mixed, 2, MemorySpace::local, 0b100, 0x40, 0);
  // An atomic on local memory is one on global memory for the hardware, where the lanes' words are adjacent.
  const trace::Trace atomic = added(MemorySpace::none, {local_window + 0x40, local_window + 0x40, local_window + 0x40},
                                    {2, 2, 1}, trace::Operation::atomic);
  expect(atomic, 0, MemorySpace::local, 0b111, 0x40 * 32, 4);
  // There is no block of rank 4.
  const trace::Trace beyond = added(MemorySpace::none, {shared_window + 0x4000400});
  expect(beyond, 0, MemorySpace::global, 1, shared_window + 0x4000400, 0);
}

TEST_F(AccessesInClusters, AnAddressOfAnotherBlockIsNotMadeTheOwnOne) {
  const trace::Trace wrong = added(MemorySpace::shared, {0x1000400});  // .shared::cta reaches the own block only
  expect(wrong, 0, MemorySpace::shared, 1, 0x1000400, 0);
}

TEST_F(AccessesInClusters, WithoutClustersSharedMemoryIsTheOwn) {
  const trace::Trace own = added(MemorySpace::none, {shared_window + 0x400}, {1, 1, 1});
  expect(own, 0, MemorySpace::shared, 1, 0x400, 0);
  const trace::Trace other = added(MemorySpace::none, {shared_window + 0x1000400}, {1, 1, 1});
  expect(other, 0, MemorySpace::global, 1, shared_window + 0x1000400, 0);
}

}  // namespace
}  // namespace lanescope::instrument
