// Known pitfalls of counting: each has misled some other program. Those in pure functions are in
// metrics/request_cost_test.cpp (Trap…), those of machine code in job/verify_test.cpp (Explain), dropped events in
// parallel_test.cpp (ChosenBlocksAndTheBudget), unknown opcodes in opcode_table_test.cpp.

#include "metrics/report.h"
#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using trace::MemoryClass;

// One shared and one global load of `width` bytes per lane at byte tid × stride of a region of 4 KiB.
LaunchResult loads(int width, int stride, std::uint32_t threads = 32, const std::string& guard = "") {
  const std::string vector = width == 16  ? "v2.f64 {%fd1, %fd2}"
                             : width == 8 ? "f64 %fd1"
                             : width == 4 ? "f32 %f1"
                             : width == 2 ? "u16 %h1"
                                          : "u8 %h1";
  Launcher k(kernel(".param .u64 in", R"(
    .shared .align 16 .b8 tile[4096];
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    mul.lo.s32 %r3, %r1, )" + std::to_string(stride) +
                                          R"(;
    add.s32 %r4, %r2, %r3;
    cvt.u64.u32 %rd2, %r3;
    add.s64 %rd3, %rd1, %rd2;
    setp.lt.u32 %p1, %r1, 10;
    mov.u32 %r5, 0;
  FILL:
    add.s32 %r6, %r2, %r5;
    st.shared.u32 [%r6], %r5;
    add.s32 %r5, %r5, 4;
    setp.lt.u32 %p2, %r5, 4096;
    @%p2 bra FILL;
    )" + guard + " ld.shared." + vector + ", [%r4];\n" +
                                          guard + " ld.global." + vector + ", [%rd3];\nret;"));
  k.block = {threads, 1, 1};
  k.add_buffer(std::vector<int>(1024, 1));
  return k.run();
}
const trace::MemoryTotals& shared(const LaunchResult& r) {
  return r.trace.totals.of(MemoryClass::shared_load);
}
const trace::MemoryTotals& global(const LaunchResult& r) {
  return r.trace.totals.of(MemoryClass::global_load);
}

TEST(Traps, FourWavefrontsOfA16ByteLoadAreTheMinimum) {
  const LaunchResult wide = loads(16, 16);
  EXPECT_EQ(shared(wide).requests, 1u);
  EXPECT_EQ(shared(wide).wavefronts, 4u);
  EXPECT_EQ(shared(wide).bank_conflicts(), 0u);
  EXPECT_EQ(global(wide).requests, 1u);
  EXPECT_EQ(global(wide).sectors, 16u);
  const LaunchResult doubles = loads(8, 8);
  EXPECT_EQ(shared(doubles).wavefronts, 2u);
  EXPECT_EQ(shared(doubles).bank_conflicts(), 0u);
  // Two conflicts per request at stride 2: 16 over 8 requests on the hardware.
  EXPECT_EQ(shared(loads(8, 16)).bank_conflicts(), 2u);
}

TEST(Traps, OneWordReadByManyIsABroadcast) {
  EXPECT_EQ(shared(loads(4, 0)).wavefronts, 1u);
  EXPECT_EQ(shared(loads(4, 0)).bytes_requested, 4u);
  EXPECT_EQ(shared(loads(4, 4)).wavefronts, 1u);
  EXPECT_EQ(shared(loads(4, 8)).bank_conflicts(), 1u);
  EXPECT_EQ(shared(loads(4, 128)).bank_conflicts(), 31u);
  EXPECT_EQ(shared(loads(4, 132 - 128)).bank_conflicts(), 0u);
}

TEST(Traps, HalvesShareAWord) {
  EXPECT_EQ(shared(loads(2, 2)).wavefronts, 1u);
  EXPECT_EQ(global(loads(2, 2)).sectors, 2u);
  EXPECT_EQ(shared(loads(1, 1)).wavefronts, 1u);
  EXPECT_EQ(global(loads(1, 1)).sectors, 1u);
}

TEST(Traps, SectorsOfStrides) {
  EXPECT_EQ(global(loads(4, 4)).sectors, 4u);
  EXPECT_EQ(global(loads(4, 8)).sectors, 8u);
  EXPECT_EQ(global(loads(4, 32)).sectors, 32u);
  EXPECT_EQ(global(loads(4, 128)).sectors, 32u);
  EXPECT_EQ(global(loads(4, 128)).bytes_requested, 128u);
  EXPECT_EQ(global(loads(4, 128)).bytes_moved(), 1024u);
  EXPECT_EQ(global(loads(4, 0)).sectors, 1u);
}

TEST(Traps, AnInactiveLaneIsNotAddressZero) {
  const LaunchResult some = loads(4, 4, 32, "@%p1");
  EXPECT_EQ(global(some).sectors, 2u);
  EXPECT_EQ(global(some).executed_lanes, 10u);
  EXPECT_EQ(global(some).bytes_requested, 40u);
  // A partial last warp has fewer lanes.
  const LaunchResult partial = loads(4, 4, 41);
  EXPECT_EQ(global(partial).requests, 2u);
  EXPECT_EQ(global(partial).executed_lanes, 41u);
  EXPECT_EQ(global(partial).sectors, 6u);
}

TEST(Traps, ManyWritersOfOneWordAreOneWavefront) {
  Launcher k(kernel("", ".shared .align 4 .u32 cell;\nmov.u32 %r1, %tid.x;\nst.shared.u32 [cell], %r1;\nret;"));
  const auto totals = k.run().trace.totals;
  EXPECT_EQ(totals.of(MemoryClass::shared_store).wavefronts, 1u);
  EXPECT_EQ(totals.of(MemoryClass::shared_store).bank_conflicts(), 0u);
}

// A good store must not hide a bad load in a common number, nor a conflict-free shared load a conflicting store.
TEST(Traps, EachNumberCountsOneKindOfAccessInItsOwnUnit) {
  Launcher k(kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 4 .b8 tile[8192];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 32;
    add.s64 %rd4, %rd1, %rd3;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd6, %rd2, %rd5;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 7;
    add.s32 %r4, %r2, %r3;
    ld.global.u32 %r5, [%rd4];
    st.shared.u32 [%r4], %r5;
    ld.shared.u32 %r6, [tile];
    st.global.u32 [%rd6], %r6;
    ret;
  )"));
  k.add_buffer(std::vector<int>(256, 1));
  k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto number = [&](const std::string& name) { return metrics::find(result.trace, name); };
  EXPECT_EQ(number("global_load.sectors_per_request").value, 32);
  EXPECT_EQ(number("global_load.efficiency").value, 12.5);
  EXPECT_EQ(number("global_store.sectors_per_request").value, 4);
  EXPECT_EQ(number("global_store.efficiency").value, 100);
  EXPECT_EQ(number("shared_store.bank_conflicts").value, 31);
  EXPECT_EQ(number("shared_load.bank_conflicts").value, 0);
  EXPECT_EQ(number("shared_load.wavefronts").value, 1);
  // Fifteen instructions of one warp: counts of warps and of lanes are never compared without saying which is which.
  EXPECT_EQ(number("warp_instructions").value, 15);
  EXPECT_EQ(number("warp_instructions").unit, "warp instructions");
  EXPECT_EQ(number("lane_instructions").value, 15 * 32);
  EXPECT_EQ(number("lane_instructions").unit, "lane instructions");
  for (const metrics::Measurement& any : metrics::report(result.trace)) EXPECT_NE(any.unit, "") << any.name;
}

// Data that moves between L1 and L2 moves again on the next request. DRAM may never see it, so no number says DRAM.
TEST(Traps, BytesMovedAreNotDramBytes) {
  Launcher k(kernel(".param .u64 in",
                    "ld.param.u64 %rd1, [in];\nld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1];\nret;"));
  k.add_buffer(std::vector<int>(1, 1));
  const LaunchResult result = k.run();
  EXPECT_EQ(metrics::find(result.trace, "global_load.bytes_moved").value, 64);
  EXPECT_THAT(metrics::find(result.trace, "global_load.bytes_moved").nsight_note, testing::HasSubstr("not DRAM bytes"));
  for (const metrics::Measurement& any : metrics::report(result.trace)) {
    EXPECT_THAT(any.label, testing::Not(testing::HasSubstr("DRAM"))) << any.name;
    EXPECT_THAT(any.nsight_name, testing::Not(testing::HasSubstr("dram"))) << any.name;
  }
}

// ptxas turns short branches into predicates and unrolls loops, so no hardware counter is shown beside these.
TEST(Traps, APtxBranchIsNotComparedWithSassBranches) {
  for (const char* name : {"branches", "divergent_branches"}) {
    const metrics::Measurement number = metrics::find({}, name);
    EXPECT_EQ(number.nsight_name, "");
    EXPECT_THAT(number.nsight_note, testing::HasSubstr("need not be a SASS branch")) << name;
  }
}

// 512 half additions are 16 requests in PTX, in pairs or not. On an H200 the compare-and-swap loop for single halves
// makes 152. Explain.HalfAtomicIsACompareAndSwapLoop says so beside the counter.
TEST(Traps, AHalfAtomicIsOneRequestAWarp) {
  for (const std::string type : {"f16", "f16x2"}) {
    const bool pair = type == "f16x2";
    Launcher k(kernel(".param .u64 sums", R"(
      ld.param.u64 %rd1, [sums];
      mov.u32 %r1, %tid.x;
      and.b32 %r2, %r1, 63;
      mul.wide.u32 %rd2, %r2, )" + std::string(pair ? "4" : "2") +
                                              R"(;
      add.s64 %rd3, %rd1, %rd2;
      mov.b32 %r3, 0x3c003c00;
      mov.b16 %h1, 0x3c00;
      atom.global.add.noftz.)" + type + (pair ? " %r4, [%rd3], %r3;" : " %h2, [%rd3], %h1;") +
                                              "\nret;"));
    k.block = {512, 1, 1};
    const int sums = k.add_buffer(std::vector<std::uint16_t>(128));
    const LaunchResult result = k.run();
    const auto& totals = result.trace.totals;
    EXPECT_EQ(totals.of(MemoryClass::global_atomic).requests, 16u) << type;
    EXPECT_EQ(totals.of(MemoryClass::global_reduction).requests, 0u) << "they stay ATOM";
    EXPECT_EQ(Launcher::values<std::uint16_t>(result, sums)[5], 0x4800) << "8 in half precision";
  }
}

// The strided-index reduction on two blocks of 64 threads: its loads have 20 conflicts, as counted on an H200; the
// modulo version has none.
std::string reduction(const std::string& index) {
  return kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 4 .b8 tile[256];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.s32 %r3, %r2, 64, %r1;
    mul.wide.u32 %rd3, %r3, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r4, [%rd4];
    mov.u32 %r5, tile;
    shl.b32 %r6, %r1, 2;
    add.s32 %r7, %r5, %r6;
    st.shared.u32 [%r7], %r4;
    bar.sync 0;
    mov.u32 %r8, 1;
  LOOP:
    shl.b32 %r9, %r8, 1;
)" + index + R"(
    @%p1 bra SKIP;
    shl.b32 %r11, %r10, 2;
    add.s32 %r12, %r5, %r11;
    shl.b32 %r13, %r8, 2;
    add.s32 %r14, %r12, %r13;
    ld.shared.u32 %r15, [%r12];
    ld.shared.u32 %r16, [%r14];
    add.s32 %r17, %r15, %r16;
    st.shared.u32 [%r12], %r17;
  SKIP:
    bar.sync 0;
    mov.u32 %r8, %r9;
    setp.lt.u32 %p2, %r8, 64;
    @%p2 bra LOOP;
    setp.ne.u32 %p3, %r1, 0;
    @%p3 ret;
    ld.shared.u32 %r18, [tile];
    mul.wide.u32 %rd5, %r2, 4;
    add.s64 %rd6, %rd2, %rd5;
    st.global.u32 [%rd6], %r18;
    ret;
  )");
}

TEST(Traps, ReductionsCountTheConflictsOfTheHardware) {
  const auto run = [](const std::string& index) {
    Launcher k(reduction(index));
    k.grid = {2, 1, 1};
    k.block = {64, 1, 1};
    k.add_buffer(std::vector<int>(128, 1));
    const int out = k.add_buffer(std::vector<int>(2));
    LaunchResult result = k.run();
    EXPECT_EQ(k.values<int>(result, out), (std::vector<int>{64, 64}));
    return result;
  };
  const LaunchResult strided = run("mul.lo.s32 %r10, %r9, %r1;\nsetp.ge.u32 %p1, %r10, 64;");
  EXPECT_EQ(shared(strided).bank_conflicts(), 20u);
  const LaunchResult modulo = run("mov.u32 %r10, %r1;\nrem.u32 %r20, %r1, %r9;\nsetp.ne.u32 %p1, %r20, 0;");
  EXPECT_EQ(shared(modulo).bank_conflicts(), 0u);
  // The strided version diverges only if fewer than 32 threads are left.
  EXPECT_GT(modulo.trace.totals.divergent_branches, strided.trace.totals.divergent_branches);
}

// "PTX ISA", div: "Division by zero yields an unspecified, machine-specific value."
TEST(Traps, AnIntegerDividedByZeroIsRemarkedOncePerPlace) {
  Launcher k(kernel(".param .u64 out, .param .u32 by", R"(
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r2, [by];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    and.b32 %r3, %r1, 3;
    div.s32 %r4, 100, %r3;
    setp.ne.u32 %p1, %r3, 0;
    @%p1 rem.u32 %r4, 7, %r3;
    div.u32 %r5, %r4, 3;
    div.u32 %r5, %r4, %r2;
    st.global.u32 [%rd3], %r5;
    ret;)"));
  k.grid = {3, 1, 1};
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(64));
  k.add_scalar(std::uint32_t{5});
  const LaunchResult result = k.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic& said = result.diagnostics[0];
  EXPECT_EQ(said.severity, Severity::warning);
  EXPECT_EQ(said.code, "run.division_by_zero");
  EXPECT_THAT(said.message, testing::HasSubstr("thread (0, 0, 0) of block (0, 0, 0)"));
  EXPECT_THAT(said.message, testing::HasSubstr("in lanes 0, 4, …, 28"));
  EXPECT_TRUE(result.completed);
}

// Warp 0 waits at a barrier, the last instruction of its basic block, when warp 1 traps.
TEST(Traps, WhatWaitsWhenTheRunFailsHasExecutedItsBarrier) {
  Launcher k(kernel(".param .u64 out", R"(
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra OTHER;
    bar.sync 0;
  JOIN:
    mov.u32 %r2, 1;
    ret;
  OTHER:
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra JOIN;
    trap;)"));
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(64));
  const LaunchResult result = k.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "run.trap");
  for (const trace::Site& site : result.trace.sites)
    if (site.kind == trace::EventKind::barrier) {
      EXPECT_EQ(result.trace.totals.sites[site.id].executions, 1u);
      EXPECT_EQ(result.trace.totals.sites[site.id].executed_lanes, 32u);
    }
  // Three and the barrier; three, two and the trap.
  EXPECT_EQ(result.trace.totals.warp_instructions, 4u + 6u);
  EXPECT_EQ(result.trace.totals.lane_instructions, 32u * 10u);
}

// Lanes 0 to 15 of warp 0 wait at the first barrier. The others pass it and stop at the second one, where no lane of a
// warp can arrive while others of it wait elsewhere.
TEST(Traps, LanesThatStopBeforeABarrierHaveNotExecutedIt) {
  Launcher k(kernel(".param .u64 out", R"(
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 16;
    @%p1 bra AFTER;
    bar.sync 0;
  AFTER:
    bar.sync 1;
    ret;)"));
  k.block = {32, 1, 1};
  k.add_buffer(std::vector<int>(64));
  const LaunchResult result = k.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> barriers;
  for (const trace::Site& site : result.trace.sites)
    if (site.kind == trace::EventKind::barrier)
      barriers.emplace_back(result.trace.totals.sites[site.id].executions,
                            result.trace.totals.sites[site.id].executed_lanes);
  ASSERT_EQ(barriers.size(), 2u);
  EXPECT_EQ(barriers[0], std::pair(std::uint64_t{1}, std::uint64_t{16}));
  EXPECT_EQ(barriers[1], std::pair(std::uint64_t{0}, std::uint64_t{0}));
  EXPECT_EQ(result.trace.totals.warp_instructions, 4u);
  EXPECT_EQ(result.trace.totals.lane_instructions, 32u * 3 + 16u);
}

}  // namespace
}  // namespace lanescope::sim
