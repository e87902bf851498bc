// The result of a launch, including its trace, does not depend on the number of threads.

#include <algorithm>
#include <numeric>
#include <random>
#include <span>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

bool same_events(const trace::Trace& a, const trace::Trace& b) {
  if (a.events.size() != b.events.size() || a.addresses != b.addresses || a.source_lanes != b.source_lanes)
    return false;
  return a.events.empty() ||
         std::memcmp(a.events.data(), b.events.data(), a.events.size() * sizeof(trace::WarpEvent)) == 0;
}

void expect_same(const LaunchResult& a, const LaunchResult& b) {
  ASSERT_EQ(a.arguments.size(), b.arguments.size());
  for (std::size_t i = 0; i < a.arguments.size(); ++i)
    EXPECT_TRUE(a.arguments[i].contents == b.arguments[i].contents) << "argument " << i;
  EXPECT_TRUE(a.trace.totals == b.trace.totals);
  EXPECT_TRUE(same_events(a.trace, b.trace));
  EXPECT_EQ(a.trace.events_dropped, b.trace.events_dropped);
  EXPECT_EQ(a.trace.blocks_not_chosen, b.trace.blocks_not_chosen);
  EXPECT_EQ(a.printf_output, b.printf_output);
  EXPECT_EQ(a.lane_instructions, b.lane_instructions);
  EXPECT_EQ(a.completed, b.completed);
  ASSERT_EQ(a.diagnostics.size(), b.diagnostics.size());
  for (std::size_t i = 0; i < a.diagnostics.size(); ++i) EXPECT_EQ(format(a.diagnostics[i]), format(b.diagnostics[i]));
}

// Runs with 1, 2, 3 and 7 threads, each time with overwritten contents still in the request, kept by the launch, or
// made again. Returns the result with one thread.
LaunchResult run_with_all_thread_counts(Launcher& k) {
  k.request.threads = 1;
  LaunchResult one = k.run_anyway();
  const auto put_back = [&](std::size_t argument, std::span<std::byte> contents) {
    std::ranges::copy(k.request.arguments.at(argument).contents, contents.begin());
    return Diagnostics{};
  };
  for (const int threads : {2, 3, 7}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    k.request.threads = threads;
    expect_same(one, k.run_anyway());
    for (const bool makes_again : {false, true}) {
      SCOPED_TRACE(makes_again ? "made again" : "kept");
      LaunchRequest moved = k.request;
      if (makes_again) moved.make_again = put_back;
      expect_same(one, sim::run(k.program(), std::move(moved)));
    }
  }
  return one;
}

// %rd3 = a + 4 × global index, %rd4 = b + 4 × global index. A loop makes each block worth a thread.
std::string per_thread(const std::string& body, const std::string& parameters = "") {
  return kernel(".param .u64 a, .param .u64 b" + parameters, R"(
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.s32 %r4, %r2, %r3, %r1;
    mul.wide.u32 %rd5, %r4, 4;
    add.s64 %rd3, %rd1, %rd5;
    add.s64 %rd4, %rd2, %rd5;
    mov.u32 %r10, 0;
    mov.u32 %r11, %r4;
  SPIN:
    mad.lo.s32 %r11, %r11, 1664525, 1013904223;
    add.s32 %r10, %r10, 1;
    setp.lt.u32 %p1, %r10, 200;
    @%p1 bra SPIN;
  )" + body + "\nret;\n");
}

Launcher launcher(const std::string& body, int blocks = 64, int threads = 128) {
  Launcher k(per_thread(body));
  k.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  k.block = {static_cast<std::uint32_t>(threads), 1, 1};
  const auto n = static_cast<std::size_t>(blocks * threads);
  std::vector<int> a(n), b(n);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 1000);
  k.add_buffer(a);
  k.add_buffer(b);
  k.request.record.events = true;
  return k;
}

TEST(Parallel, IndependentBlocks) {
  Launcher k = launcher("ld.global.u32 %r5, [%rd3];\nadd.s32 %r5, %r5, %r11;\nst.global.u32 [%rd4], %r5;");
  const LaunchResult result = run_with_all_thread_counts(k);
  EXPECT_TRUE(result.completed);
  EXPECT_TRUE(test::naive_totals(result.trace) == result.trace.totals);
}

TEST(Parallel, EveryBlockReadsWhatTheOneBeforeWrote) {
  // b[i] = b[i − 128] + 1: in order this gives an ascending chain, and a parallel run must give the same.
  Launcher k = launcher(R"(
    setp.lt.u32 %p2, %r4, 128;
    @%p2 bra DONE;
    ld.global.u32 %r5, [%rd4+-512];
    add.s32 %r5, %r5, 1;
    st.global.u32 [%rd4], %r5;
  DONE:
  )");
  const LaunchResult result = run_with_all_thread_counts(k);
  const auto values = Launcher::values<int>(result, 1);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<int>(1000 + i % 128 + i / 128));
}

// At first, only what the first block wrote to is watched.
TEST(Parallel, LaterBlocksWriteWhatTheFirstOnlyRead) {
  // b[i] = a[i]. From block 40 on also a[i − 128 × 20] = spun, which blocks from 20 on have read or will read.
  Launcher k = launcher(R"(
    ld.global.u32 %r5, [%rd3];
    st.global.u32 [%rd4], %r5;
    setp.lt.u32 %p2, %r2, 40;
    @%p2 bra DONE;
    st.global.u32 [%rd3+-10240], %r11;
  DONE:
  )");
  const LaunchResult result = run_with_all_thread_counts(k);
  const auto copied = Launcher::values<int>(result, 1);
  for (std::size_t i = 0; i < copied.size(); ++i) EXPECT_EQ(copied[i], static_cast<int>(i));
}

TEST(Parallel, LaterBlocksWriteWhatNoneHasReadBefore) {
  Launcher k = launcher(R"(
    ld.global.u32 %r5, [%rd3];
    setp.lt.u32 %p2, %r2, 3;
    @%p2 bra DONE;
    add.u32 %r5, %r5, 1;
    st.global.u32 [%rd4], %r5;
  DONE:
  )");
  const LaunchResult result = run_with_all_thread_counts(k);
  const auto values = Launcher::values<int>(result, 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<int>(i < 3 * 128 ? 1000 + i : i + 1));
}

TEST(Parallel, ALaterBlockReadsWhatItsNeighbourWroteUnforeseen) {
  // a[i] = a[i − 128] + 1 from block 2 on: a chain that the first block does not show.
  Launcher k = launcher(R"(
    setp.lt.u32 %p2, %r2, 2;
    @%p2 bra DONE;
    ld.global.u32 %r5, [%rd3+-512];
    add.u32 %r5, %r5, 1;
    st.global.u32 [%rd3], %r5;
  DONE:
  )");
  const LaunchResult result = run_with_all_thread_counts(k);
  const auto values = Launcher::values<int>(result, 0);
  for (std::size_t i = 2 * 128; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<int>(128 + i % 128 + i / 128 - 1));
}

// Warps at two sites, alternating and in no order: their noted ranges must be joined, and the one word that two blocks
// share must be found.
TEST(Parallel, OneWordOfALongStretchIsTwoBlocks) {
  for (const int stranger : {0, 1}) {
    // b[i] = spun; b[i + 8192] = spun. With `stranger`, block 50 also reads what block 20 wrote.
    Launcher k = launcher(R"(
      st.global.u32 [%rd4], %r11;
      bar.sync 0;
      st.global.u32 [%rd4+32768], %r11;
      setp.ne.u32 %p2, %r4, )" +
                          std::to_string(stranger * 50 * 128) + R"(;
      @%p2 bra DONE;
      ld.global.u32 %r5, [%rd2+10240];
      st.global.u32 [%rd1], %r5;
    DONE:
    )");
    k.request.arguments[1].contents.resize(2 * 8192 * 4);
    const LaunchResult result = run_with_all_thread_counts(k);
    std::uint32_t spun = stranger == 0 ? 2560 + 1000 : 2560;
    for (int step = 0; step < 200 && stranger != 0; ++step) spun = spun * 1664525u + 1013904223u;
    EXPECT_EQ(static_cast<std::uint32_t>(Launcher::values<int>(result, 0)[0]), spun);
  }
}

TEST(Parallel, WhatIsAddedToAgainIsAddedOnce) {
  // b[i] += spun, over many pages. All blocks also write a[0], so they must run again one after another.
  Launcher k = launcher(R"(
    ld.global.u32 %r5, [%rd4];
    add.u32 %r5, %r5, %r11;
    bar.sync 0;
    st.global.u32 [%rd4], %r5;
    st.global.u32 [%rd1], %r4;
  )",
                        512);
  const LaunchResult result = run_with_all_thread_counts(k);
  const auto values = Launcher::values<int>(result, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto x = static_cast<std::uint32_t>(i);
    for (int step = 0; step < 200; ++step) x = x * 1664525u + 1013904223u;
    ASSERT_EQ(static_cast<std::uint32_t>(values[i]), static_cast<std::uint32_t>(1000 + i) + x);
  }
}

TEST(Parallel, WhatCannotBeMadeAgainEndsTheLaunch) {
  // Only later blocks write, which the first block does not show. So the launch starts again.
  Launcher k = launcher(R"(
    setp.lt.u32 %p2, %r2, 3;
    @%p2 bra DONE;
    st.global.u32 [%rd4], %r11;
  DONE:
  )");
  k.run_anyway();  // fills in the launch
  LaunchRequest moved = k.request;
  moved.threads = 2;
  moved.make_again = [](std::size_t, std::span<std::byte>) {
    return Diagnostics{{Severity::error, "test.gone", {}, "gone", ""}};
  };
  const LaunchResult result = sim::run(k.program(), std::move(moved));
  EXPECT_FALSE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "test.gone");
}

TEST(Parallel, AllBlocksWriteOnePlace) {
  Launcher k = launcher("st.global.u32 [%rd2], %r4;\nst.global.u32 [%rd3], %r11;");
  const LaunchResult result = run_with_all_thread_counts(k);
  EXPECT_EQ(Launcher::values<int>(result, 1)[0], 64 * 128 - 1);
}

TEST(Parallel, ARaceWithoutAtomics) {
  // Every thread adds to one counter with a plain load and store.
  Launcher k = launcher("ld.global.u32 %r5, [%rd2];\nadd.s32 %r5, %r5, 1;\nst.global.u32 [%rd2], %r5;");
  run_with_all_thread_counts(k);
}

TEST(Parallel, ReductionsOfEveryKind) {
  Launcher k = launcher(R"(
    and.b32 %r6, %r4, 15;
    mul.wide.u32 %rd6, %r6, 4;
    add.s64 %rd7, %rd2, %rd6;
    red.global.add.u32 [%rd7], %r11;
    red.global.max.s32 [%rd7+64], %r11;
    red.global.xor.b32 [%rd7+128], %r11;
    red.global.inc.u32 [%rd7+192], 1000;
    cvt.rn.f32.s32 %f1, %r11;
    red.global.add.f32 [%rd7+256], %f1;
    atom.global.exch.b32 %r12, [%rd7+320], %r11;
  )");
  const LaunchResult result = run_with_all_thread_counts(k);
  // The float sum in the order of blocks, warps and lanes.
  std::vector<float> sums(16);
  std::vector<int> start(64 * 128);
  std::iota(start.begin(), start.end(), 1000);
  std::memcpy(sums.data(), start.data() + 64, 64);
  for (float& sum : sums) sum = std::fpclassify(sum) == FP_SUBNORMAL ? 0.0f : sum;
  for (std::uint32_t i = 0; i < 64 * 128; ++i) {
    std::uint32_t x = i;
    for (int step = 0; step < 200; ++step) x = x * 1664525u + 1013904223u;
    sums[i & 15] += static_cast<float>(static_cast<std::int32_t>(x));
  }
  const auto values = Launcher::values<float>(result, 1);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(values[64 + i], sums[i]);
}

TEST(Parallel, ReductionsThatAreReadToo) {
  Launcher k = launcher("red.global.add.u32 [%rd2], 1;\nld.global.u32 %r5, [%rd2];\nst.global.u32 [%rd3], %r5;");
  const LaunchResult result = run_with_all_thread_counts(k);
  EXPECT_EQ(Launcher::values<int>(result, 1)[0], 1000 + 64 * 128);
}

TEST(Parallel, AtomicsWhoseResultIsUsed) {
  Launcher k = launcher("atom.global.add.u32 %r5, [%rd2], 1;\nst.global.u32 [%rd3], %r5;");
  const LaunchResult result = run_with_all_thread_counts(k);
  const auto values = Launcher::values<int>(result, 0);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<int>(1000 + i));
}

TEST(Parallel, AFaultInTheMiddle) {
  Launcher k = launcher(R"(
    setp.eq.u32 %p2, %r4, 5000;
    selp.b64 %rd8, 0, %rd3, %p2;
    st.global.u32 [%rd8], %r11;
  )");
  const LaunchResult result = run_with_all_thread_counts(k);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "memory.null");
  // Blocks after the fault have done nothing.
  EXPECT_EQ(Launcher::values<int>(result, 0).back(), 64 * 128 - 1);
}

TEST(Parallel, TheStepBudgetAndUninitialisedMemory) {
  Launcher k = launcher("st.global.u32 [%rd3], %r11;");
  k.request.max_steps = 100'000;
  EXPECT_EQ(run_with_all_thread_counts(k).diagnostics.at(0).code, "run.step_budget");
  Launcher reads = launcher(R"(
    st.global.u32 [%rd4], %r11;
    setp.ne.u32 %p2, %r4, 6000;
    @%p2 bra DONE;
    ld.global.u32 %r5, [%rd4+512];
  DONE:
  )");
  reads.request.arguments[1].uninitialised_from = 0;
  EXPECT_EQ(run_with_all_thread_counts(reads).diagnostics.at(0).code, "memory.uninitialised");
  // Written by an earlier block: correct.
  Launcher back = launcher(R"(
    st.global.u32 [%rd4], %r11;
    setp.ne.u32 %p2, %r4, 6000;
    @%p2 bra DONE;
    ld.global.u32 %r5, [%rd4+-512];
  DONE:
  )");
  back.request.arguments[1].uninitialised_from = 0;
  EXPECT_TRUE(run_with_all_thread_counts(back).completed);
}

TEST(Parallel, ChosenBlocksAndTheBudget) {
  const std::string body = R"(
    mul.lo.s32 %r6, %r11, %r11;
    and.b32 %r6, %r6, 8191;
    mul.wide.u32 %rd6, %r6, 4;
    add.s64 %rd7, %rd1, %rd6;
    ld.global.u32 %r5, [%rd7];
    shfl.sync.bfly.b32 %r5, %r5, 1, 31, -1;
    bar.sync 0;
    st.global.u32 [%rd4], %r5;
  )";
  Launcher whole = launcher(body);
  const LaunchResult all = run_with_all_thread_counts(whole);
  EXPECT_EQ(all.trace.events_dropped, 0u);
  const std::uint64_t every = all.trace.events.size();
  for (const std::uint64_t budget : {0ull, 39ull, 40ull, 100'000ull, 1'000'000ull, 2'000'001ull, 3'000'000ull}) {
    SCOPED_TRACE("budget " + std::to_string(budget));
    Launcher k = launcher(body);
    k.request.record.event_budget_bytes = budget;
    const LaunchResult some = run_with_all_thread_counts(k);
    // Totals are not affected, and the count of missing events is exact.
    EXPECT_TRUE(some.trace.totals == all.trace.totals);
    EXPECT_EQ(some.trace.events.size() + some.trace.events_dropped, every);
    EXPECT_LE(some.trace.events.size() * sizeof(trace::WarpEvent) + some.trace.addresses.size() * 8 +
                  some.trace.source_lanes.size(),
              budget);
    EXPECT_LE(std::min<std::uint64_t>(budget, 2'000'000) / 400, some.trace.events.size());
    // The kept events are a subsequence of all, each warp's from its start.
    std::size_t at = 0;
    for (const trace::WarpEvent& event : some.trace.events) {
      while (at < every && (all.trace.events[at].block != event.block || all.trace.events[at].warp != event.warp ||
                            all.trace.events[at].sequence != event.sequence))
        ++at;
      ASSERT_LT(at, every);
      EXPECT_EQ(all.trace.events[at].site, event.site);
      if (event.kind == trace::EventKind::memory) {
        EXPECT_EQ(all.trace.lane_addresses(all.trace.events[at]), some.trace.lane_addresses(event));
      }
    }
  }
  Launcher chosen = launcher(body);
  chosen.request.record.blocks = {3, 17, 63};
  const LaunchResult three = run_with_all_thread_counts(chosen);
  EXPECT_EQ(three.trace.blocks_not_chosen, 61u);
  EXPECT_EQ(three.trace.events_dropped, 0u);
  EXPECT_TRUE(three.trace.totals == all.trace.totals);
  EXPECT_EQ(three.trace.events.size() * 64, every * 3);
  EXPECT_EQ(three.trace.events.front().block, 3u);
  EXPECT_EQ(three.trace.events.back().block, 63u);
}

// After the first blocks, all events seem to fit, so the threads start; then the order of blocks is needed after all.
TEST(Parallel, TheBudgetIsUsedUpByLaterBlocks) {
  const std::string body = R"(
    setp.lt.u32 %p3, %r2, 40;
    @%p3 bra SHORT;
    mov.u32 %r20, 0;
  AGAIN:
    mul.lo.s32 %r6, %r11, %r20;
    and.b32 %r6, %r6, 8191;
    mul.wide.u32 %rd6, %r6, 4;
    add.s64 %rd7, %rd1, %rd6;
    ld.global.u32 %r5, [%rd7];
    add.u32 %r20, %r20, 1;
    setp.lt.u32 %p4, %r20, 50;
    @%p4 bra AGAIN;
  SHORT:
    st.global.u32 [%rd4], %r11;
  )";
  Launcher whole = launcher(body);
  const LaunchResult all = run_with_all_thread_counts(whole);
  const std::uint64_t every = all.trace.events.size();
  ASSERT_EQ(all.trace.events_dropped, 0u);
  const auto first_block =
      static_cast<std::uint64_t>(std::count_if(all.trace.events.begin(), all.trace.events.end(),
                                               [](const trace::WarpEvent& event) { return event.block == 0; }));
  Launcher k = launcher(body);
  k.request.record.event_budget_bytes = first_block * sizeof(trace::WarpEvent) * 64;
  const LaunchResult some = run_with_all_thread_counts(k);
  EXPECT_EQ(some.trace.events.size() + some.trace.events_dropped, every);
  EXPECT_GT(some.trace.events_dropped, 0u);
  EXPECT_GT(some.trace.events.back().block, 39u);
  EXPECT_TRUE(some.trace.totals == all.trace.totals);
  EXPECT_TRUE(some.arguments[1].contents == all.arguments[1].contents);
}

TEST(Parallel, PlainRunsCountLaneInstructionsOnly) {
  Launcher k = launcher("st.global.u32 [%rd3], %r11;");
  k.request.record = {};
  const LaunchResult counted = k.run_anyway();
  k.request.record.totals = false;
  const LaunchResult plain = run_with_all_thread_counts(k);
  EXPECT_EQ(plain.lane_instructions, counted.lane_instructions);
  EXPECT_EQ(plain.trace.totals.warp_instructions, 0u);
  EXPECT_TRUE(plain.arguments[0].contents == counted.arguments[0].contents);
}

}  // namespace
}  // namespace lanescope::sim
