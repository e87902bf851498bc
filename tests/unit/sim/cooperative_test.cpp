// Cooperative launches: grid-wide sync as the compiler writes it, residency, deadlocks.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::ElementsAre;
using testing::HasSubstr;

// What NVRTC 13.0 generates for cooperative_groups::this_grid().sync().
const char* const grid_sync = R"(
    barrier.sync 0;
    mov.u32 %r40, %tid.x;
    mov.u32 %r41, %tid.y;
    add.s32 %r42, %r40, %r41;
    mov.u32 %r43, %tid.z;
    neg.s32 %r44, %r43;
    setp.ne.s32 %p20, %r42, %r44;
    @%p20 bra WAITED#;
    add.s64 %rd40, %rd30, 4;
    mov.u32 %r45, %nctaid.x;
    mov.u32 %r46, %ctaid.x;
    setp.eq.s32 %p21, %r46, 0;
    mov.u32 %r47, -2147483647;
    sub.s32 %r48, %r47, %r45;
    selp.b32 %r49, %r48, 1, %p21;
    atom.add.release.gpu.u32 %r50, [%rd40], %r49;
  POLL#:
    ld.acquire.gpu.u32 %r51, [%rd40];
    xor.b32 %r52, %r51, %r50;
    setp.gt.s32 %p22, %r52, -1;
    @%p22 bra POLL#;
  WAITED#:
    barrier.sync 0;
)";

std::string sync(const std::string& number) {
  std::string text = grid_sync;
  for (std::size_t at; (at = text.find('#')) != std::string::npos;) text.replace(at, 1, number);
  return text;
}

const char* const workspace = R"(
    mov.u32 %r30, %envreg2;
    cvt.u64.u32 %rd31, %r30;
    mov.u32 %r31, %envreg1;
    cvt.u64.u32 %rd32, %r31;
    bfi.b64 %rd30, %rd32, %rd31, 32, 32;
    setp.ne.s64 %p30, %rd30, 0;
    @%p30 bra READY;
    trap;
  READY:
)";

// a[i] = i; sync; b[i] = a[n − 1 − i]; sync; a[i] = b[i] + b[(i + 1) mod n].
std::string two_syncs() {
  return kernel(".param .u64 a, .param .u64 b", std::string(workspace) + R"(
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %nctaid.x;
    mad.lo.s32 %r5, %r2, %r3, %r1;
    mul.lo.s32 %r6, %r3, %r4;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    st.global.u32 [%rd4], %r5;
  )" + sync("1") + R"(
    sub.s32 %r7, %r6, %r5;
    add.s32 %r7, %r7, -1;
    mul.wide.u32 %rd6, %r7, 4;
    add.s64 %rd7, %rd1, %rd6;
    ld.global.u32 %r8, [%rd7];
    st.global.u32 [%rd5], %r8;
  )" + sync("2") + R"(
    add.s32 %r9, %r5, 1;
    rem.u32 %r9, %r9, %r6;
    mul.wide.u32 %rd8, %r9, 4;
    add.s64 %rd9, %rd2, %rd8;
    ld.global.u32 %r10, [%rd5];
    ld.global.u32 %r11, [%rd9];
    add.s32 %r10, %r10, %r11;
    st.global.u32 [%rd4], %r10;
    ret;
  )");
}

TEST(Cooperative, GridSyncOrdersAllBlocks) {
  Launcher k(two_syncs());
  k.grid = {13, 1, 1};
  k.block = {96, 1, 1};
  k.cooperative = true;
  const int n = 13 * 96;
  const int a = k.add_buffer(std::vector<int>(n, -1));
  k.add_buffer(std::vector<int>(n, -1));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, a);
  for (int i = 0; i < n; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], (n - 1 - i) + (n - 1 - (i + 1) % n));
  // The same for every number of threads, and for other orders.
  k.request.threads = 4;
  EXPECT_TRUE(k.run().trace.totals == result.trace.totals);
  for (const std::uint32_t seed : {5u, 6u}) {
    k.request.schedule_seed = seed;
    EXPECT_EQ(k.values<int>(k.run(), a), values);
  }
}

TEST(Cooperative, APlainLaunchHasNoWorkspace) {
  Launcher k(two_syncs());
  k.grid = {2, 1, 1};
  k.add_buffer(std::vector<int>(64));
  k.add_buffer(std::vector<int>(64));
  const Diagnostic error = k.fault("run.trap");
  EXPECT_THAT(error.message, HasSubstr("grid.sync()"));
  EXPECT_EQ(error.cure, "Launch it as a cooperative kernel.")
      << "with what, is for those to say who were asked to launch it";
}

TEST(Cooperative, MoreBlocksThanFitAreRefused) {
  Launcher k(two_syncs());
  k.cooperative = true;
  k.request.multiprocessors = 2;
  k.block = {1024, 1, 1};
  k.grid = {5, 1, 1};
  k.add_buffer(std::vector<int>(5 * 1024));
  k.add_buffer(std::vector<int>(5 * 1024));
  const Diagnostic error = k.fault("launch.cooperative_too_large");
  EXPECT_THAT(error.message, HasSubstr("of 5 blocks only 4 fit"));
  EXPECT_THAT(error.message, HasSubstr("2 multiprocessors with 2 blocks of 1024 threads"));
  k.grid = {4, 1, 1};
  k.run();
  // Shared memory counts as well: 100 KiB leave room for two blocks of 64 threads.
  k.block = {64, 1, 1};
  k.shared_bytes = 100 * 1024;
  k.grid = {5, 1, 1};
  k.fault("launch.cooperative_too_large");
}

TEST(Cooperative, AGridSyncThatOneBlockSkips) {
  Launcher k(kernel("", std::string(workspace) + R"(
    mov.u32 %r2, %ctaid.x;
    setp.eq.u32 %p1, %r2, 2;
    @%p1 bra SKIP;
  )" + sync("1") + "SKIP:\nret;"));
  k.grid = {4, 1, 1};
  k.cooperative = true;
  const Diagnostic error = k.fault("run.deadlock");
  EXPECT_THAT(error.message, HasSubstr("waits here for a value"));
}

// Block b waits until the blocks behind it have counted, as in a reduction that begins with the last block.
std::string waits_for_later_blocks(const char* last) {
  return kernel(".param .u64 count, .param .u64 out", std::string(R"(
    ld.param.u64 %rd1, [count];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x;
    sub.s32 %r3, )") + last + R"(, %r1;
  WAIT:
    ld.acquire.gpu.global.u32 %r4, [%rd1];
    setp.ne.s32 %p1, %r4, %r3;
    @%p1 bra WAIT;
    ld.global.u32 %r5, [%rd2];
    mul.lo.s32 %r5, %r5, 3;
    add.s32 %r5, %r5, %r1;
    st.global.u32 [%rd2], %r5;
    mov.u32 %r6, %tid.x;
    setp.ne.s32 %p2, %r6, 0;
    @%p2 bra DONE;
    fence.acq_rel.gpu;
    red.relaxed.gpu.global.add.s32 [%rd1], 1;
  DONE:
    ret;)");
}

TEST(Cooperative, ALaunchMayWaitForLaterBlocksThatAreResident) {
  Launcher k(waits_for_later_blocks("3"));
  k.grid = {4, 1, 1};
  k.block = {1, 1, 1};
  k.add_buffer(std::vector<int>(1));
  k.add_buffer(std::vector<int>(1, 1));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  // Blocks 3, 2, 1, 0: (((1 * 3 + 3) * 3 + 2) * 3 + 1) * 3 + 0.
  EXPECT_EQ(k.values<int>(result, 1)[0], 183);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "run.waits_for_later_block");
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
  // On a GPU where only some of them are resident, it may wait for ever.
  k.request.multiprocessors = 1;
  k.shared_bytes = 200 * 1024;
  EXPECT_THAT(k.fault("run.deadlock").cure, HasSubstr("make the launch cooperative"));
  // A value that no block writes.
  Launcher never(waits_for_later_blocks("7"));
  never.grid = {4, 1, 1};
  never.block = {1, 1, 1};
  never.add_buffer(std::vector<int>(1));
  never.add_buffer(std::vector<int>(1));
  EXPECT_THAT(never.fault("run.deadlock").cure, HasSubstr("Find the thread"));
}

// As in searches on a graph, a thread looks at several neighbours again and again until all are decided: each of its
// loads finds another value than its previous one, so nothing shows that it only waits.
TEST(Cooperative, ALoopThatReadsSeveralWordsMayWaitForALaterBlock) {
  Launcher k(kernel(".param .u64 decided", R"(
    ld.param.u64 %rd1, [decided];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd2, %rd1, %rd2;
    mov.u32 %r2, %nctaid.x;
    sub.s32 %r2, %r2, 1;
    setp.eq.u32 %p1, %r1, %r2;
    @%p1 bra DECIDE;
  LOOK:
    ld.volatile.global.u32 %r3, [%rd2];
    ld.volatile.global.u32 %r4, [%rd2+4];
    setp.le.u32 %p2, %r4, %r3;
    @%p2 bra LOOK;
  DECIDE:
    add.u32 %r5, %r1, 100;
    st.volatile.global.u32 [%rd2], %r5;
    ret;)"));
  k.grid = {4, 1, 1};
  k.block = {1, 1, 1};
  k.add_buffer(std::vector<int>{9, 8, 7, 6});
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  EXPECT_FALSE(result.fault);
  EXPECT_THAT(k.values<int>(result, 0), ElementsAre(100, 101, 102, 103));
}

TEST(Cooperative, ValuesAtAnEventAfterASync) {
  Launcher k(two_syncs());
  k.grid = {3, 1, 1};
  k.cooperative = true;
  k.add_buffer(std::vector<int>(96, -1));
  k.add_buffer(std::vector<int>(96, -1));
  k.request.record.events = true;
  const LaunchResult result = k.run_anyway();
  // The last store of block 1: %r10 holds the sum.
  const auto events = result.trace.warp(1, 0);
  std::uint32_t sequence = 0;
  for (const auto& event : events)
    if (event.kind == trace::EventKind::memory && result.trace.sites[event.site].operation == trace::Operation::store)
      sequence = event.sequence;
  const auto values = values_at(k.program(), k.request, 1, 0, sequence);
  ASSERT_TRUE(values.ok());
  bool found = false;
  for (const RegisterValues& value : *values) {
    if (value.name != "%r10") continue;
    found = true;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(value.lanes[lane], (95 - (32 + lane)) + (95 - (33 + lane)));
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace lanescope::sim
