// Barriers of a block: that they order, that they count, and the messages if they cannot complete.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;

TEST(Barrier, OrdersSharedMemoryBetweenWarps) {
  // Each thread reads what the opposite thread wrote.
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .b8 tile[1024];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.s32 %r4, %r2, %r3;
    st.shared.u32 [%r4], %r1;
    bar.sync 0;
    sub.s32 %r5, 255, %r1;
    shl.b32 %r6, %r5, 2;
    add.s32 %r7, %r2, %r6;
    ld.shared.u32 %r8, [%r7];
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r8;
    ret;
  )"));
  k.block = {256, 1, 1};
  const int out = k.add_buffer(std::vector<int>(256));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 256; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], 255 - i);
  EXPECT_EQ(result.trace.totals.barriers, 8u);
  // Every other order of warps gives the same result.
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    k.request.schedule_seed = seed;
    EXPECT_EQ(k.values<int>(k.run(), out), values);
  }
}

TEST(Barrier, NamedBarriersAndArriveWithoutWaiting) {
  // Warp 0 consumes what warp 1 produces (barrier 1, 64 threads); warps 2 and 3 meet at barrier 2.
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .u32 cell;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 5;
    mov.u32 %r9, 0;
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra CONSUMER;
    setp.eq.s32 %p2, %r2, 1;
    @%p2 bra PRODUCER;
    bar.sync 2, 64;
    mov.u32 %r9, 5;
    bra.uni DONE;
  CONSUMER:
    bar.sync 1, 64;
    ld.shared.u32 %r9, [cell];
    bra.uni DONE;
  PRODUCER:
    mov.u32 %r3, 42;
    st.shared.u32 [cell], %r3;
    bar.arrive 1, 64;
    mov.u32 %r9, 7;
  DONE:
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r9;
    ret;
  )"));
  k.block = {128, 1, 1};
  const int out = k.add_buffer(std::vector<int>(128));
  const auto values = k.values<int>(k.run(), out);
  EXPECT_EQ(values[0], 42);
  EXPECT_EQ(values[40], 7);
  EXPECT_EQ(values[70], 5);
}

TEST(Barrier, Reductions) {
  const auto run = [](const std::string& body, std::uint32_t threads) {
    Launcher k(kernel(".param .u64 out", R"(
      ld.param.u64 %rd1, [out];
      mov.u32 %r1, %tid.x;
      rem.u32 %r2, %r1, 3;
      setp.eq.u32 %p1, %r2, 0;
      mov.u32 %r9, 0;
    )" + body + R"(
      mul.wide.u32 %rd2, %r1, 4;
      add.s64 %rd3, %rd1, %rd2;
      st.global.u32 [%rd3], %r9;
      ret;
    )"));
    k.block = {threads, 1, 1};
    const int out = k.add_buffer(std::vector<int>(threads));
    return k.values<int>(k.run(), out);
  };
  EXPECT_EQ(run("bar.red.popc.u32 %r9, 0, %p1;", 100), std::vector<int>(100, 34));
  EXPECT_EQ(run("bar.red.popc.u32 %r9, 0, !%p1;", 100), std::vector<int>(100, 66));
  EXPECT_EQ(run("bar.red.or.pred %p2, 0, %p1;\nselp.u32 %r9, 1, 0, %p2;", 100), std::vector<int>(100, 1));
  EXPECT_EQ(run("bar.red.and.pred %p2, 0, %p1;\nselp.u32 %r9, 1, 0, %p2;", 100), std::vector<int>(100, 0));
  EXPECT_EQ(run("setp.ge.u32 %p1, %r1, 0;\nbar.red.and.pred %p2, 0, %p1;\nselp.u32 %r9, 1, 0, %p2;", 64),
            std::vector<int>(64, 1));
}

// if (thread >= 40) return; … the rest of the block uses barriers.
TEST(Barrier, ThreadsThatHaveExitedAreNotWaitedFor) {
  for (const char* barrier : {"bar.sync 0;", "barrier.sync 3;", "bar.red.popc.u32 %r9, 0, %p2;"}) {
    Launcher k(kernel(".param .u64 out", std::string(R"(
      .shared .align 4 .b8 tile[160];
      ld.param.u64 %rd1, [out];
      mov.u32 %r1, %tid.x;
      setp.ge.u32 %p1, %r1, 40;
      @%p1 bra DONE;
      mov.u32 %r2, tile;
      mad.lo.u32 %r4, %r1, 4, %r2;
      st.shared.u32 [%r4], %r1;
      mov.u32 %r9, 40;
      setp.ge.u32 %p2, %r1, 0;
      )") + barrier + R"(
      sub.s32 %r5, 39, %r1;
      mad.lo.u32 %r7, %r5, 4, %r2;
      ld.shared.u32 %r8, [%r7];
      mul.wide.u32 %rd2, %r1, 4;
      add.s64 %rd3, %rd1, %rd2;
      mad.lo.u32 %r8, %r9, 1000, %r8;
      st.global.u32 [%rd3], %r8;
    DONE:
      ret;
    )"));
    k.block = {96, 1, 1};
    const int out = k.add_buffer(std::vector<int>(96, -1));
    for (const std::uint32_t seed : {0u, 1u, 2u, 3u}) {
      k.request.schedule_seed = seed;
      const auto values = k.values<int>(k.run(), out);
      for (int i = 0; i < 96; ++i)
        EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 40 ? 40000 + 39 - i : -1) << barrier << ' ' << i;
    }
  }
}

// The last missing threads do not arrive; they exit.
TEST(Barrier, OpensWhenTheOnlyOnesMissingExit) {
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .u32 flag;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
    setp.eq.u32 %p2, %r1, 0;
    @%p2 st.shared.u32 [flag], %r2;
    bar.sync 0;
    setp.lt.u32 %p1, %r1, 64;
    @%p1 bra STAYS;
    mov.u32 %r9, 0;
  MORE:
    add.u32 %r9, %r9, 1;
    setp.lt.u32 %p3, %r9, 40000;
    @%p3 bra MORE;
    ret;
  STAYS:
    bar.sync 0;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
  )"));
  k.block = {96, 1, 1};
  const int out = k.add_buffer(std::vector<int>(96, -1));
  const auto values = k.values<int>(k.run(), out);
  for (int i = 0; i < 96; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 64 ? i : -1);
}

// A barrier with a thread count waits for that many threads, even if others exit. If a warp arrives, its exited lanes
// do not count.
TEST(Barrier, ACountIsKeptThoughOthersExit) {
  const auto body = [](const char* count) {
    return kernel("", std::string(R"(
      mov.u32 %r1, %tid.x;
      setp.ge.u32 %p1, %r1, 40;
      @%p1 bra DONE;
      bar.sync 1, )") + count +
                          ";\nDONE:\nret;");
  };
  Launcher two(body("64"));
  two.block = {96, 1, 1};
  two.run();
  Launcher three(body("96"));
  three.block = {96, 1, 1};
  const Diagnostic error = three.fault("barrier.not_reached_by_all");
  EXPECT_THAT(error.message, HasSubstr("40 of 96 threads wait"));
  EXPECT_THAT(error.message, HasSubstr("56 exited"));
}

// The lanes for which the condition is false continue with the code after the barrier. A compiler generates the same
// for `if (t >= 16) { out[t] = t; return; }` before the barrier and `out[t] = t` after it, which is correct.
TEST(Barrier, LanesThatGoPastAnAlignedBarrierToTheEndAreRemarkedOn) {
  const auto body = [](const char* barrier, const char* behind) {
    return kernel(".param .u64 out", std::string(R"(
      ld.param.u64 %rd1, [out];
      mov.u32 %r1, %tid.x;
      setp.ge.u32 %p1, %r1, 16;
      @%p1 bra BEHIND;
      )") + barrier + "\nBEHIND:\n" + behind +
                                         "\nret;");
  };
  const char* const store = "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;";
  const auto remarks = [&](const char* barrier, const char* behind) {
    Launcher k(body(barrier, behind));
    k.block = {64, 1, 1};
    const int out = k.add_buffer(std::vector<int>(64));
    const LaunchResult outcome = k.run_anyway();
    EXPECT_TRUE(outcome.completed);
    if (behind == store) {
      const std::vector<int> stored = k.values<int>(outcome, out);
      for (int i = 0; i < 64; ++i) EXPECT_EQ(stored[static_cast<std::size_t>(i)], i);
    }
    return outcome.diagnostics;
  };
  const Diagnostics aligned = remarks("bar.sync 0;", store);
  ASSERT_EQ(aligned.size(), 1u);
  EXPECT_EQ(aligned.front().code, "barrier.passed_by");
  EXPECT_EQ(aligned.front().severity, Severity::warning);
  EXPECT_THAT(aligned.front().message,
              HasSubstr("warp 0: lanes 16–31 took a way to the kernel's end that avoids this barrier"));
  EXPECT_THAT(remarks("barrier.sync 0;", store), testing::IsEmpty());
  // Arithmetic without a visible effect is the same as the end.
  EXPECT_THAT(remarks("bar.sync 0;", "add.u32 %r1, %r1, 1;"), testing::IsEmpty());

  // With another barrier ahead they would take part in the wrong one.
  for (const char* ahead : {"bar.sync 0;", "bar.sync 1;", "barrier.sync 0;"}) {
    Launcher k(body("bar.sync 0;", ahead));
    k.block = {64, 1, 1};
    k.add_buffer(std::vector<int>(64));
    EXPECT_THAT(k.fault("barrier.not_reached_by_all").message,
                HasSubstr("warp 0 lanes 16–31 wait for other lanes of their warp"));
  }
}

// Two barriers in one instruction: each warp must arrive as a whole, or exit.
TEST(Barrier, LanesOfOneInstructionAtTwoBarriers) {
  const auto body = [](const char* choice) {
    return kernel("", std::string("mov.u32 %r1, %tid.x;\n") + choice + "barrier.sync %r2, %r3;\nret;");
  };
  // Per warp it is well defined.
  Launcher by_warps(body("shr.u32 %r2, %r1, 6;\nmov.u32 %r3, 64;\n"));
  by_warps.block = {128, 1, 1};
  EXPECT_EQ(by_warps.run().trace.totals.barriers, 4u);
  Launcher by_lanes(body("and.b32 %r2, %r1, 1;\nmov.u32 %r3, 64;\n"));
  by_lanes.block = {64, 1, 1};
  const Diagnostic error = by_lanes.fault("barrier.not_reached_by_all");
  EXPECT_THAT(error.message, HasSubstr("warps 0–1 lanes 0, 2, …, 30 wait at barrier 0"));
  EXPECT_THAT(error.message, HasSubstr("warps 0–1 lanes 1, 3, …, 31 wait at barrier 1"));
  Launcher by_counts(body("mov.u32 %r2, 1;\nshr.u32 %r3, %r1, 5;\nadd.u32 %r3, %r3, 1;\nshl.b32 %r3, %r3, 5;\n"));
  by_counts.block = {96, 1, 1};
  by_counts.fault("barrier.bad_operand");
}

// The guard is false for some lanes of each warp. Those continue while the others wait, and arrive later.
TEST(Barrier, LanesWhoseGuardIsFalseDoNotWait) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    mov.u32 %r9, 0;
    @%p1 barrier.red.popc.u32 %r9, 0, %p1;
    @!%p1 barrier.red.popc.u32 %r9, 0, %p1;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r9;
    ret;
  )"));
  k.block = {96, 1, 1};
  const int out = k.add_buffer(std::vector<int>(96));
  EXPECT_EQ(k.values<int>(k.run(), out), std::vector<int>(96, 48));
}

TEST(Barrier, NotReachedByThreadsThatWaitElsewhere) {
  Launcher k(kernel("", R"(
    .loc 1 4 3
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 64;
    @%p1 bra DONE;
    setp.ge.u32 %p1, %r1, 40;
    @%p1 bra OTHER;
    .loc 1 6 5
    bar.sync 0;
    bra.uni DONE;
  OTHER:
    .loc 1 7 5
    bar.sync 1;
  DONE:
    .loc 1 8 1
    ret;
  )") + ".file 1 \"k.cu\"\n");
  k.grid = {3, 1, 1};
  k.block = {96, 1, 1};
  const Diagnostic error = k.fault("barrier.not_reached_by_all");
  EXPECT_EQ(error.place, (SourcePlace{"k.cu", 6, 5}));
  EXPECT_THAT(error.message, HasSubstr("block (0, 0, 0): 64 of 96 threads wait"));
  EXPECT_THAT(error.message, HasSubstr("32 exited"));
  EXPECT_THAT(error.message, HasSubstr("warp 0 lanes 0–31 wait at barrier 0 (line 6)"));
  EXPECT_THAT(error.message, HasSubstr("warp 1 lanes 0–7 wait at barrier 0 (line 6)"));
  EXPECT_THAT(error.message, HasSubstr("warp 1 lanes 8–31 wait at barrier 1 (line 7)"));
  EXPECT_THAT(error.message, HasSubstr("warp 2 lanes 0–31 exited (line 8)"));
}

// Threads for which `choice` sets %p1 (their number is in %r1) arrive at barrier 2, the others at barrier 1.
std::string at_two_barriers(const std::string& choice) {
  return kernel("", "mov.u32 %r1, %tid.x;" + choice + R"(
    @%p1 bra SECOND;
    bar.sync 1;
    ret;
  SECOND:
    bar.sync 2;
    ret;
  )");
}

TEST(Barrier, WarpsThatWaitAtDifferentBarriers) {
  Launcher k(at_two_barriers("setp.ge.u32 %p1, %r1, 32;"));
  k.block = {64, 1, 1};
  const Diagnostic error = k.fault("barrier.not_reached_by_all");
  EXPECT_THAT(error.message, HasSubstr("wait at barrier 1"));
  EXPECT_THAT(error.message, HasSubstr("wait at barrier 2"));
}

// A class reads this from a projector: one line for all warps of the block, not one per warp.
TEST(Barrier, WarpsOfWhichTheSameLanesWaitAreToldTogether) {
  Launcher k(at_two_barriers("and.b32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, 1;"));
  k.block = {128, 1, 1};
  const Diagnostic error = k.fault("barrier.not_reached_by_all");
  EXPECT_THAT(error.message, HasSubstr("warps 0–3 lanes 0, 2, …, 30 wait at barrier 1"));
  EXPECT_THAT(error.message, HasSubstr("warps 0–3 lanes 1, 3, …, 31 wait at barrier 2"));
}

TEST(Barrier, HalvesOfAWarpMayArriveApart) {
  // Both sides of a branch arrive at the barrier: it counts threads.
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra EVEN;
    barrier.sync 0;
    mov.u32 %r3, 1;
    bra.uni DONE;
  EVEN:
    barrier.sync 0;
    mov.u32 %r3, 2;
  DONE:
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
  )"));
  k.block = {64, 1, 1};
  const int out = k.add_buffer(std::vector<int>(64));
  const auto values = k.values<int>(k.run(), out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i % 2 == 0 ? 2 : 1);
}

TEST(Barrier, OperandsThatDoNotExist) {
  Launcher number(kernel("", "mov.u32 %r1, 16;\nbar.sync %r1;\nret;"));
  number.fault("barrier.bad_operand");
  Launcher count(kernel("", "bar.sync 1, 40;\nret;"));
  count.fault("barrier.bad_operand");
  Launcher too_many(kernel("", "bar.sync 1, 64;\nret;"));
  EXPECT_THAT(too_many.fault("barrier.bad_operand").message, HasSubstr("the block has 32"));
}

}  // namespace
// Threads without work wait where a loop ends, while the others of their warp wait at the barrier in it. They are
// threads of their own: they exit, and the barrier is for the others.
TEST(Barrier, LanesWithoutWorkExitWhileTheOthersWaitInALoop) {
  const auto body = [](const char* at_the_end) {
    return kernel(".param .u64 out", std::string(R"(
      ld.param.u64 %rd1, [out];
      mov.u32 %r1, %tid.x;
      mov.u32 %r2, 0;
    AGAIN:
      mov.u32 %r3, 0;
      setp.ge.u32 %p1, %r1, 50;
      @%p1 bra REST;
      bar.sync 0;
      add.u32 %r2, %r2, 1;
      setp.lt.u32 %p2, %r2, 3;
      selp.u32 %r3, 1, 0, %p2;
    REST:
    )") + at_the_end + R"(
      setp.ne.u32 %p3, %r3, 0;
      @%p3 bra AGAIN;
      mul.wide.u32 %rd2, %r1, 4;
      add.s64 %rd3, %rd1, %rd2;
      st.global.u32 [%rd3], %r2;
      ret;)");
  };
  Launcher k(body(""));
  k.block = {64, 1, 1};
  const int out = k.add_buffer(std::vector<int>(64, -1));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  const std::vector<int> rounds = k.values<int>(result, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(rounds[static_cast<std::size_t>(i)], i < 50 ? 3 : 0);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "barrier.passed_by");
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("warp 1: lanes 18–31 took a way to the kernel's end"));
  // At another barrier they would take part in the wrong one.
  Launcher other(body("bar.sync 0;"));
  other.block = {64, 1, 1};
  other.add_buffer(std::vector<int>(64));
  EXPECT_THAT(other.fault("barrier.not_reached_by_all").message,
              HasSubstr("warp 1 lanes 18–31 wait for other lanes of their warp"));
}

}  // namespace lanescope::sim
