// %clock, %clock64 and %globaltimer: they only grow, and a wait for them ends.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

// A warp that reads the clock late in a long basic block gets a later time than a warp that read it before, even if
// that one's block began later.
TEST(Clock, OnlyGrows) {
  std::string filler;
  for (int i = 0; i < 60; ++i) filler += "add.s32 %r5, %r5, 1;\n";
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 8 .u64 first;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra SECOND;
    bar.sync 0;
    )" + filler + R"(
    bar.sync 1;
    mov.u64 %rd2, %globaltimer;
    ld.shared.u64 %rd3, [first];
    sub.s64 %rd4, %rd2, %rd3;
    st.global.u64 [%rd1], %rd4;
    ret;
  SECOND:
    bar.sync 0;
    mov.u64 %rd3, %globaltimer;
    st.shared.u64 [first], %rd3;
    bar.sync 1;
    ret;
  )"));
  k.block = {64, 1, 1};
  const int out = k.add_buffer(std::vector<std::int64_t>(1));
  for (const std::uint32_t seed : {0u, 1u, 2u, 3u}) {
    k.request.schedule_seed = seed;
    EXPECT_GT(k.values<std::int64_t>(k.run(), out)[0], 0) << seed;
  }
}

// One second on a GPU is too many instructions to interpret, so time passes faster for a warp that waits for it …
TEST(Clock, AWaitForTheClockEndsSoon) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u64 %rd2, %clock64;
  AGAIN:
    mov.u64 %rd3, %clock64;
    sub.s64 %rd4, %rd3, %rd2;
    setp.lt.s64 %p1, %rd4, 2000000000;
    @%p1 bra AGAIN;
    st.global.u64 [%rd1], %rd4;
    ret;
  )"));
  k.block = {64, 1, 1};
  k.request.max_steps = 100'000;
  const int out = k.add_buffer(std::vector<std::int64_t>(1));
  EXPECT_GE(k.values<std::int64_t>(k.run(), out)[0], 2'000'000'000);
}

// … also if it looks for a value in between, as the waits of cuda::semaphore with a time limit do …
TEST(Clock, AWaitForAValueWithATimeLimitEnds) {
  std::string work;
  for (int i = 0; i < 40; ++i) work += "add.s32 %r5, %r5, 1;\n";
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .u32 flag;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, 0;
    st.shared.u32 [flag], %r1;
    bar.sync 0;
    mov.u64 %rd2, %globaltimer;
  AGAIN:
    ld.volatile.shared.u32 %r2, [flag];
    setp.ne.u32 %p2, %r2, 0;
    @%p2 bra DONE;
    )" + work + R"(
    mov.u64 %rd3, %globaltimer;
    sub.s64 %rd4, %rd3, %rd2;
    setp.lt.s64 %p1, %rd4, 2000000000;
    @%p1 bra AGAIN;
  DONE:
    st.global.u64 [%rd1], %rd4;
    ret;
  )"));
  k.block = {64, 1, 1};
  k.request.max_steps = 1'000'000;
  const int out = k.add_buffer(std::vector<std::int64_t>(1));
  EXPECT_GE(k.values<std::int64_t>(k.run(), out)[0], 2'000'000'000);
}

// … and for no other: a loop that times each of its steps of at least 20 instructions gets their true number.
TEST(Clock, InALoopCountsItsInstructions) {
  std::string work;
  for (int i = 0; i < 20; ++i) work += "add.s32 %r5, %r5, 1;\n";
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u64 %rd2, %clock64;
    mov.u32 %r1, 0;
  AGAIN:
    )" + work + R"(
    mov.u64 %rd3, %clock64;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 2000;
    @%p1 bra AGAIN;
    sub.s64 %rd4, %rd3, %rd2;
    st.global.u64 [%rd1], %rd4;
    ret;
  )"));
  k.block = {1, 1, 1};
  const int out = k.add_buffer(std::vector<std::int64_t>(1));
  EXPECT_EQ(k.values<std::int64_t>(k.run(), out)[0], 1 + 2000 * 24 - 3);
}

TEST(Clock, CountsInstructions) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %clock;
    add.s32 %r5, %r5, 1;
    add.s32 %r5, %r5, 1;
    mov.u64 %rd2, %clock64;
    cvt.u32.u64 %r2, %rd2;
    sub.s32 %r3, %r2, %r1;
    st.global.u32 [%rd1], %r3;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(1));
  EXPECT_EQ(k.values<int>(k.run(), out)[0], 3);
}

}  // namespace
}  // namespace lanescope::sim
