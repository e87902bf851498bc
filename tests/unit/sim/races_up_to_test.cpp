// A look for races that ends after so many accesses or blocks: of what comes later nothing is told, and nothing else
// changes.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using U32 = std::uint32_t;

// Each block of 64 threads stores to an element of its own. Its two warps race for it.
Launcher two_warps_a_block(std::uint64_t up_to) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    shr.u32 %r2, %r2, 5;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd1, %rd4;
    st.global.u32 [%rd5], %r2;
    ret;
  )"));
  k.grid = {8, 1, 1};
  k.block = {64, 1, 1};
  k.request.races = true;
  k.request.races_up_to = up_to;
  return k;
}

TEST(RacesUpTo, AllAccessesAreWatchedWhereNoNumberIsGiven) {
  Launcher k = two_warps_a_block(0);
  k.add_buffer(std::vector<U32>(8, 9));
  const LaunchResult all = k.run();
  ASSERT_EQ(all.races.races.size(), 1u);
  EXPECT_EQ(all.races.races[0].count, 8u);
  EXPECT_FALSE(all.races.stopped);
  EXPECT_TRUE(all.races.complete());
}

TEST(RacesUpTo, LaterBlocksRunUnwatched) {
  Launcher k = two_warps_a_block(3 * 64 - 1);
  const int out = k.add_buffer(std::vector<U32>(8, 9));
  const LaunchResult some = k.run();
  ASSERT_EQ(some.races.races.size(), 1u);
  EXPECT_EQ(some.races.races[0].count, 3u);
  EXPECT_TRUE(some.races.stopped);
  EXPECT_FALSE(some.races.complete());
  EXPECT_EQ(Launcher::values<U32>(some, out), std::vector<U32>(8, 1));
}

TEST(RacesUpTo, WhereTheFirstBlockIsLongTheRestOfItIsUnwatched) {
  Launcher k = two_warps_a_block(1);
  const int out = k.add_buffer(std::vector<U32>(8, 9));
  const LaunchResult none = k.run();
  EXPECT_TRUE(none.races.races.empty());
  EXPECT_TRUE(none.races.stopped);
  EXPECT_EQ(Launcher::values<U32>(none, out), std::vector<U32>(8, 1));
}

// Each thread reads a counter and adds to it: the nth would be compared with the n before it. With a limit the look
// ends long before that, and has told the race.
TEST(RacesUpTo, AWordThatVeryManyThreadsReadEndsTheLook) {
  for (const std::uint64_t up_to : {std::uint64_t{0}, std::uint64_t{1'000'000}}) {
    Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    ld.global.u32 %r1, [%rd1];
    atom.global.add.u32 %r2, [%rd1], 1;
    ret;
  )"));
    k.grid = {up_to == 0 ? 8u : 256u, 1, 1};
    k.block = {256, 1, 1};
    k.request.races = true;
    k.request.races_up_to = up_to;
    const int out = k.add_buffer(std::vector<U32>(1, 0));
    const LaunchResult some = k.run();
    EXPECT_EQ(Launcher::values<U32>(some, out)[0], 256u * k.grid.x);
    EXPECT_FALSE(some.races.races.empty());
    EXPECT_EQ(some.races.stopped, up_to != 0);
    if (up_to != 0) {
      EXPECT_LT(some.races.watched, 100'000u);
    }
  }
}

TEST(RacesInFirstBlocks, LaterBlocksRunUnwatchedOnAllThreads) {
  for (const int threads : {1, 4}) {
    Launcher k = two_warps_a_block(0);
    k.request.races_in_first_blocks = 2;
    k.request.threads = threads;
    k.grid = {4'000, 1, 1};  // enough for several threads
    const int out = k.add_buffer(std::vector<U32>(4'000, 9));
    const LaunchResult some = k.run();
    ASSERT_EQ(some.races.races.size(), 1u);
    EXPECT_EQ(some.races.races[0].count, 2u);
    EXPECT_TRUE(some.races.looked && some.races.stopped);
    EXPECT_FALSE(some.races.complete());
    EXPECT_EQ(Launcher::values<U32>(some, out), std::vector<U32>(4'000, 1));
  }
}

TEST(RacesInFirstBlocks, ALaunchOfNoMoreBlocksIsWatchedWhole) {
  Launcher k = two_warps_a_block(0);
  k.request.races_in_first_blocks = 8;
  k.add_buffer(std::vector<U32>(8, 9));
  const LaunchResult all = k.run();
  ASSERT_EQ(all.races.races.size(), 1u);
  EXPECT_EQ(all.races.races[0].count, 8u);
  EXPECT_TRUE(all.races.complete());
}

TEST(RacesInFirstBlocks, BlocksThatRunSideBySideAreNotWatched) {
  Launcher k = two_warps_a_block(0);
  k.request.races_in_first_blocks = 2;
  k.cooperative = true;
  k.add_buffer(std::vector<U32>(8, 9));
  EXPECT_FALSE(k.run().races.looked);
}

}  // namespace
}  // namespace lanescope::sim
