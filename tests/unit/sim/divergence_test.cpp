// Paths of a warp: the mask at each basic block, and that lanes reconverge where they must.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

// The active masks with which warp `warp` entered basic blocks, in order, as "block:mask".
std::vector<std::string> entries(const LaunchResult& result, std::uint32_t warp = 0) {
  std::vector<std::string> list;
  for (const trace::WarpEvent& event : result.trace.warp(0, warp)) {
    if (event.kind != trace::EventKind::block_entry) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%d:%08x", result.trace.sites[event.site].basic_block, event.active.bits);
    list.emplace_back(text);
  }
  return list;
}
using Entries = std::vector<std::string>;

TEST(Divergence, IfElseMeetsAfterwards) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    setp.ge.s32 %p1, %r1, 20;
    @%p1 bra ELSE;
    mov.u32 %r2, 100;
    bra.uni JOIN;
  ELSE:
    mov.u32 %r2, 200;
  JOIN:
    add.s32 %r2, %r2, %r1;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], (i < 20 ? 100 : 200) + i);
  // The fall-through path comes first.
  EXPECT_EQ(entries(result), (Entries{"0:ffffffff", "1:000fffff", "2:fff00000", "3:ffffffff"}));
}

TEST(Divergence, NestedConditions) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r2, 0;
    setp.ge.s32 %p1, %r1, 16;
    @%p1 bra OUTER;
    add.s32 %r2, %r2, 1;
    setp.ge.s32 %p2, %r1, 8;
    @%p2 bra INNER;
    add.s32 %r2, %r2, 10;
  INNER:
    add.s32 %r2, %r2, 100;
  OUTER:
    add.s32 %r2, %r2, 1000;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 8 ? 1111 : i < 16 ? 1101 : 1000);
  EXPECT_EQ(entries(result), (Entries{"0:ffffffff", "1:0000ffff", "2:000000ff", "3:0000ffff", "4:ffffffff"}));
}

TEST(Divergence, LoopLeftAtDifferentTimes) {
  // Lane i loops i mod 4 + 1 times; no lane continues before all have left.
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    and.b32 %r3, %r1, 3;
    mov.u32 %r2, 0;
  LOOP:
    add.s32 %r2, %r2, 1;
    setp.le.s32 %p1, %r2, %r3;
    @%p1 bra LOOP;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i % 4 + 1);
  EXPECT_EQ(entries(result),
            (Entries{"0:ffffffff", "1:ffffffff", "1:eeeeeeee", "1:cccccccc", "1:88888888", "2:ffffffff"}));
}

TEST(Divergence, EarlyReturnAndExit) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    setp.lt.s32 %p1, %r1, 4;
    @%p1 ret;
    mov.u32 %r2, 1;
    setp.lt.s32 %p2, %r1, 8;
    @%p2 bra LEAVE;
    mov.u32 %r2, 2;
    st.global.u32 [%rd3], %r2;
    ret;
  LEAVE:
    st.global.u32 [%rd3], %r2;
    exit;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 4 ? 0 : i < 8 ? 1 : 2);
  EXPECT_EQ(entries(result), (Entries{"0:ffffffff", "1:fffffff0", "2:ffffff00", "3:000000f0"}));
  EXPECT_EQ(result.trace.totals.divergent_branches, 1u);
}

TEST(Divergence, ShortCircuitCondition) {
  // if (a && b) x else y: the block of y is entered twice, once for each condition, as the model says.
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    setp.ge.s32 %p1, %r1, 16;
    @%p1 bra NO;
    and.b32 %r2, %r1, 1;
    setp.ne.s32 %p2, %r2, 0;
    @%p2 bra NO;
    mov.u32 %r3, 7;
    bra.uni JOIN;
  NO:
    mov.u32 %r3, 9;
  JOIN:
    st.global.u32 [%rd3], %r3;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 16 && i % 2 == 0 ? 7 : 9);
  EXPECT_EQ(entries(result),
            (Entries{"0:ffffffff", "1:0000ffff", "2:00005555", "3:0000aaaa", "3:ffff0000", "4:ffffffff"}));
}

TEST(Divergence, SwitchThroughAJumpTable) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    and.b32 %r2, %r1, 3;
    ts: .branchtargets A, B, C, B;
    brx.idx %r2, ts;
  A:
    mov.u32 %r3, 1;
    bra.uni JOIN;
  B:
    mov.u32 %r3, 2;
    bra.uni JOIN;
  C:
    mov.u32 %r3, 3;
  JOIN:
    st.global.u32 [%rd3], %r3;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  const int expected[] = {1, 2, 3, 2};
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], expected[i % 4]);
  EXPECT_EQ(entries(result), (Entries{"0:ffffffff", "1:11111111", "2:aaaaaaaa", "3:44444444", "4:ffffffff"}));
  EXPECT_EQ(result.trace.totals.branches, 1u);
  EXPECT_EQ(result.trace.totals.divergent_branches, 1u);
}

TEST(Divergence, GuardedInstructionsArePredicationNotDivergence) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    setp.lt.s32 %p1, %r1, 10;
    mov.u32 %r2, 5;
    @%p1 mov.u32 %r2, 6;
    @!%p1 add.s32 %r2, %r2, 100;
    st.global.u32 [%rd3], %r2;
    setp.lt.s32 %p2, %r1, 0;
    @%p2 st.global.u32 [%rd3], %r1;
    ret;
  )"));
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 10 ? 6 : 105);
  EXPECT_EQ(result.trace.totals.branches, 0u);
  // A store that no lane executes makes no request and no event, but the instruction was executed.
  const auto& totals = result.trace.totals;
  EXPECT_EQ(totals.of(trace::MemoryClass::global_store).requests, 1u);
  EXPECT_EQ(totals.sites.back().executions, 1u);
  EXPECT_EQ(totals.sites.back().memory.requests, 0u);
  // Two guarded instructions, with the lanes that executed each.
  std::vector<std::uint32_t> guarded;
  for (const auto& event : result.trace.events)
    if (event.kind == trace::EventKind::guarded) guarded.push_back(event.executed.bits);
  EXPECT_EQ(guarded, (std::vector<std::uint32_t>{0x3ff, 0xfffffc00}));
}

TEST(Divergence, ThreadIndicesInThreeDimensions) {
  // 5 × 3 × 4 threads: 60, so the second warp has 28 lanes.
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    mov.u32 %r3, %tid.z;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %ntid.y;
    mad.lo.s32 %r6, %r3, %r5, %r2;
    mad.lo.s32 %r6, %r6, %r4, %r1;
    mul.wide.u32 %rd2, %r6, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r7, %laneid;
    mov.u32 %r8, %warpid;
    mad.lo.s32 %r9, %r8, 32, %r7;
    mad.lo.s32 %r9, %r1, 1000, %r9;
    mad.lo.s32 %r9, %r2, 10000, %r9;
    mad.lo.s32 %r9, %r3, 100000, %r9;
    st.global.u32 [%rd3], %r9;
    ret;
  )"));
  k.block = {5, 3, 4};
  const int out = k.add_buffer(std::vector<int>(60));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x) {
        const int i = (z * 3 + y) * 5 + x;
        EXPECT_EQ(values[static_cast<std::size_t>(i)], z * 100000 + y * 10000 + x * 1000 + i);
      }
  EXPECT_EQ(result.trace.totals.lane_instructions, 60u * 18u);
  EXPECT_EQ(entries(result, 1), (Entries{"0:0fffffff"}));
}

TEST(Divergence, ASpinLockBetweenLanesOfOneWarpEnds) {
  // Each lane takes the lock, adds one without atomics, and releases the lock.
  Launcher k(kernel(".param .u64 lock, .param .u64 count", R"(
    ld.param.u64 %rd1, [lock];
    ld.param.u64 %rd2, [count];
  AGAIN:
    atom.global.cas.b32 %r1, [%rd1], 0, 1;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    ld.volatile.global.u32 %r2, [%rd2];
    add.s32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd2], %r2;
    atom.global.exch.b32 %r3, [%rd1], 0;
    ret;
  )"));
  k.block = {96, 1, 1};
  k.grid = {3, 1, 1};
  k.add_buffer(std::vector<int>(1));
  const int count = k.add_buffer(std::vector<int>(1));
  EXPECT_EQ(k.values<int>(k.run(), count)[0], 3 * 96);
}

TEST(Divergence, AFlagBetweenLanesOfOneWarpIsSeen) {
  // Lane 0 waits for a value that lane 5 writes on the other side of the branch.
  Launcher k(kernel(".param .u64 flag, .param .u64 out", R"(
    ld.param.u64 %rd1, [flag];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra WRITER;
  WAIT:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.s32 %p2, %r2, 0;
    @%p2 bra WAIT;
    st.global.u32 [%rd2], %r2;
    bra.uni DONE;
  WRITER:
    setp.eq.s32 %p3, %r1, 5;
    mov.u32 %r3, 77;
    @%p3 st.volatile.global.u32 [%rd1], %r3;
  DONE:
    ret;
  )"));
  k.add_buffer(std::vector<int>(1));
  const int out = k.add_buffer(std::vector<int>(1));
  EXPECT_EQ(k.values<int>(k.run(), out)[0], 77);
}

TEST(Divergence, AnEndlessLoopEndsAtTheStepBudget) {
  Launcher k(kernel("", R"(
    mov.u32 %r1, %tid.x;
    setp.lt.s32 %p1, %r1, 3;
    @!%p1 ret;
  LOOP:
    add.s32 %r1, %r1, 1;
    bra.uni LOOP;
  )"));
  k.grid = {2, 1, 1};
  k.block = {64, 1, 1};
  k.request.max_steps = 100'000;
  const Diagnostic error = k.fault("run.step_budget");
  EXPECT_THAT(error.message, testing::HasSubstr("block (0, 0, 0), warp 0"));
  EXPECT_THAT(error.message, testing::HasSubstr("active mask 0x00000007"));
  EXPECT_EQ(error.place.line, 18);  // PTX lines: there is no .loc
  EXPECT_EQ(error.cure, "Check that the loop at this line ends.") << "options and windows are others' affair";
}

TEST(Divergence, AStepBudgetThatEndsBetweenTwoBlocksNamesTheNextOne) {
  Launcher k(kernel("", "mov.u32 %r1, 1;\nret;"));
  k.grid = {100, 1, 1};
  k.block = {40, 1, 1};
  k.request.max_steps = 40;  // ten blocks of two warps of two instructions
  const Diagnostic error = k.fault("run.step_budget");
  EXPECT_THAT(error.message, testing::HasSubstr("block (10, 0, 0), warp 0"));
  EXPECT_THAT(error.message, testing::HasSubstr("active mask 0xffffffff"));
  EXPECT_GT(error.place.line, 0);
  EXPECT_THAT(error.message, testing::HasSubstr("line " + std::to_string(error.place.line)));
}

TEST(Divergence, ALoopThatWaitsForNobodyIsADeadlock) {
  Launcher k(kernel(".param .u64 flag", R"(
    ld.param.u64 %rd1, [flag];
  WAIT:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.s32 %p2, %r2, 0;
    @%p2 bra WAIT;
    ret;
  )"));
  k.add_buffer(std::vector<int>(1));
  EXPECT_THAT(k.fault("run.deadlock").message, testing::HasSubstr("block (0, 0, 0), warp 0"));
}

TEST(Divergence, CancelledFromOutside) {
  Launcher k(kernel("", "LOOP:\nadd.s32 %r1, %r1, 1;\nbra.uni LOOP;\n"));
  Progress progress;
  progress.cancel = true;
  k.request.progress = &progress;
  k.fault("run.cancelled");
}

TEST(Divergence, CancelledLaterSaysWhereItStands) {
  Launcher k(kernel("", "LOOP:\nadd.s32 %r1, %r1, 1;\nbra.uni LOOP;\n"));
  Progress progress;
  k.request.progress = &progress;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    progress.cancel = true;
  });
  const Diagnostic error = k.fault("run.cancelled");
  later.join();
  EXPECT_THAT(error.message, testing::HasSubstr("was stopped: block (0, 0, 0), warp 0 was at line"));
  EXPECT_GT(error.place.line, 0);
}

}  // namespace
}  // namespace lanescope::sim
