// Whole launches: results, totals and instruction counts of small kernels.

#include <bit>
#include <numeric>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using trace::MemoryClass;

const char* const saxpy_parameters = ".param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y";
const char* const saxpy_body = R"(
  ld.param.u32 %r2, [n];
  ld.param.f32 %f1, [a];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r1, %r3, %r4, %r5;
  setp.ge.s32 %p1, %r1, %r2;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd3, %rd2;
  cvta.to.global.u64 %rd4, %rd1;
  mul.wide.s32 %rd5, %r1, 4;
  add.s64 %rd6, %rd4, %rd5;
  ld.global.f32 %f2, [%rd6];
  add.s64 %rd7, %rd3, %rd5;
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f4, %f2, %f1, %f3;
  st.global.f32 [%rd7], %f4;
DONE:
  ret;
)";

TEST(Run, SaxpyWithAPartialLastWarp) {
  Launcher k(kernel(saxpy_parameters, saxpy_body));
  const int n = 1000;
  k.grid = {4, 1, 1};
  k.block = {256, 1, 1};
  std::vector<float> x(n), y(n), expected(n);
  std::iota(x.begin(), x.end(), 0.0f);
  std::iota(y.begin(), y.end(), 100.0f);
  for (std::size_t i = 0; i < n; ++i) expected[i] = 3.0f * x[i] + y[i];
  k.add_scalar(n);
  k.add_scalar(3.0f);
  k.add_buffer(x);
  const int out = k.add_buffer(y);
  const LaunchResult result = k.run();
  EXPECT_EQ(k.values<float>(result, out), expected);

  // 32 warps of 10 + 9 + 1 instructions with all lanes, except the last warp: it diverges at the branch, and its 8
  // lanes below n execute the middle part.
  const trace::Totals& totals = result.trace.totals;
  EXPECT_EQ(totals.warp_instructions, 32u * 20u);
  EXPECT_EQ(totals.lane_instructions, 32u * 32u * 11u + 31u * 32u * 9u + 8u * 9u);
  EXPECT_EQ(result.lane_instructions, totals.lane_instructions);
  EXPECT_EQ(totals.branches, 32u);
  EXPECT_EQ(totals.divergent_branches, 1u);
  const trace::MemoryTotals& loads = totals.of(MemoryClass::global_load);
  EXPECT_EQ(loads.requests, 64u);
  EXPECT_EQ(loads.sectors, 2u * (31u * 4u + 1u));
  EXPECT_EQ(loads.bytes_requested, 2u * 4000u);
  const trace::MemoryTotals& stores = totals.of(MemoryClass::global_store);
  EXPECT_EQ(stores.requests, 32u);
  EXPECT_EQ(stores.sectors, 31u * 4u + 1u);
  EXPECT_EQ(totals.of(MemoryClass::param_load).requests, 32u * 4u);
}

// ptxas assembles a body without an instruction to a return.
TEST(Run, AnEmptyBodyReturns) {
  for (const char* body : {"{}", "{ .reg .b32 %r; }", "{ { } L: }"}) {
    Launcher alone(lanescope::test::ptx_module(std::string(".visible .entry k()\n") + body + "\n"));
    alone.block = {64, 1, 1};
    const LaunchResult result = alone.run();
    EXPECT_TRUE(result.completed) << body;
    EXPECT_EQ(result.trace.totals.warp_instructions, 2u) << body;
  }
  Launcher calls(kernel("", "call nothing; ret;", ".func nothing() {}\n"));
  EXPECT_TRUE(calls.run().completed);
}

TEST(Run, TotalsAgreeWithThoseOfTheMetrics) {
  Launcher k(kernel(saxpy_parameters, saxpy_body));
  k.grid = {4, 1, 1};
  k.block = {96, 1, 1};
  k.add_scalar(300);
  k.add_scalar(3.0f);
  k.add_buffer(std::vector<float>(300, 1.0f));
  k.add_buffer(std::vector<float>(300, 2.0f));
  const LaunchResult result = k.run();
  EXPECT_EQ(metrics::recompute_totals(result.trace), result.trace.totals);
}

// Four groups of eight lanes each walk along a row of a matrix, one element at a time: the same pattern of addresses in
// every place within a sector, with words and with bytes.
TEST(Run, APatternThatMovesWithinSectorsCostsWhatEachPlaceCosts) {
  Launcher k(kernel(".param .u64 in", R"(
      ld.param.u64 %rd1, [in];
      mov.u32 %r1, %tid.x;
      shr.u32 %r2, %r1, 3;
      and.b32 %r3, %r1, 7;
      mul.lo.u32 %r2, %r2, 512;
      mad.lo.u32 %r4, %r3, 4, %r2;
      cvt.u64.u32 %rd2, %r4;
      add.u64 %rd2, %rd1, %rd2;
      add.u32 %r5, %r3, %r2;
      cvt.u64.u32 %rd3, %r5;
      add.u64 %rd3, %rd1, %rd3;
      mov.u32 %r6, 0;
    loop:
      ld.global.u32 %r7, [%rd2];
      ld.global.u8 %r8, [%rd3];
      add.u64 %rd2, %rd2, 4;
      add.u64 %rd3, %rd3, 1;
      add.u32 %r6, %r6, 1;
      setp.lt.u32 %p1, %r6, 64;
      @%p1 bra loop;
      ret;)"));
  k.add_buffer(std::vector<std::uint32_t>(4 * 128));
  const LaunchResult result = k.run();
  std::uint64_t words = 0, bytes = 0;
  for (unsigned i = 0; i < 64; ++i) {
    words += i % 8 == 0 ? 1 : 2;    // 32 bytes from 4 i on
    bytes += i % 32 <= 24 ? 1 : 2;  // 8 bytes from i on
  }
  const trace::MemoryTotals& loads = result.trace.totals.of(MemoryClass::global_load);
  EXPECT_EQ(loads.requests, 128u);
  EXPECT_EQ(loads.sectors, 4 * (words + bytes));
  EXPECT_EQ(loads.bytes_requested, 64u * 4u * (32u + 8u));
  EXPECT_EQ(metrics::recompute_totals(result.trace), result.trace.totals);
}

TEST(Run, SitesKnowTheirPlaceAndKind) {
  Launcher k(kernel(saxpy_parameters, saxpy_body));
  k.add_scalar(32);
  k.add_scalar(3.0f);
  k.add_buffer(std::vector<float>(32, 1.0f));
  k.add_buffer(std::vector<float>(32, 2.0f));
  const LaunchResult result = k.run();
  std::vector<std::string> opcodes;
  for (const trace::Site& site : result.trace.sites) opcodes.push_back(site.opcode);
  const std::vector<std::string> expected = {"entry",         "ld.param.u32",  "ld.param.f32", "ld.param.u64",
                                             "ld.param.u64",  "bra",           "entry",        "ld.global.f32",
                                             "ld.global.f32", "st.global.f32", "entry"};
  EXPECT_EQ(opcodes, expected);
  EXPECT_EQ(result.trace.sites[0].instruction_count, 10);
  EXPECT_EQ(result.trace.sites[7].width, 4);
  EXPECT_EQ(result.trace.sites[7].space, trace::MemorySpace::global);
  EXPECT_EQ(result.trace.sites[9].operation, trace::Operation::store);
  for (const trace::SiteTotals& site : result.trace.totals.sites) EXPECT_EQ(site.executions, 1u);
}

// A lane's index times 8, just before the store that follows.
TEST(Run, ValuesBeforeAnEvent) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 3;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    add.s32 %r2, %r2, 1;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  k.grid = {2, 1, 1};
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(64));
  const LaunchResult result = k.run();
  // Events of a warp: entry, ld.param, store, store.
  for (const std::uint32_t sequence : {2u, 3u}) {
    const auto values = values_at(k.program(), k.request, 1, 1, sequence);
    ASSERT_TRUE(values.ok());
    bool found = false;
    for (const RegisterValues& value : *values) {
      if (value.name != "%r2") continue;
      found = true;
      for (std::uint64_t lane = 0; lane < 32; ++lane) EXPECT_EQ(value.lanes[lane], (32 + lane) * 8 + (sequence - 2));
    }
    EXPECT_TRUE(found);
  }
  const auto beyond = values_at(k.program(), k.request, 1, 1, 4);
  ASSERT_FALSE(beyond.ok());
  EXPECT_EQ(beyond.errors()[0].code, "run.no_such_event");
}

// What ptxas makes of PTX for the first GPUs, see decoder.cpp: 2⁻¹⁴⁰ counts as 0, and the product of mad is not
// rounded.
TEST(Run, PtxForSm1xFlushesSubnormalNumbers) {
  const auto results = [](const std::string& target) {
    std::string text = kernel(".param .u64 out", R"(
      ld.param.u64 %rd1, [out];
      mov.f32 %f1, 0f00000200;
      mov.f32 %f2, 0f3f800001;
      mov.f32 %f3, 0fbf800002;
      add.f32 %f4, %f1, %f1;
      mad.f32 %f5, %f2, %f2, %f3;
      setp.gt.f32 %p1, %f1, 0f00000000;
      selp.u32 %r1, 1, 0, %p1;
      cvt.f64.f32 %fd1, %f1;
      setp.gt.f64 %p2, %fd1, 0d0000000000000000;
      selp.u32 %r2, 1, 0, %p2;
      st.global.f32 [%rd1], %f4; st.global.f32 [%rd1+4], %f5; st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r2;
      ret;)");
    const std::size_t at = text.find(".target");
    text.replace(at, text.find('\n', at) - at, ".target " + target);
    if (target != "sm_13") text.replace(text.find("mad.f32"), 7, "mad.rn.f32");
    Launcher k(text);
    k.block = {1, 1, 1};
    const int out = k.add_buffer(std::vector<std::uint32_t>(4));
    return k.values<std::uint32_t>(k.run(), out);
  };
  const std::uint32_t product = std::bit_cast<std::uint32_t>(0x1p-46f);
  EXPECT_EQ(results("sm_13"), (std::vector<std::uint32_t>{0, product, 0, 1}));
  EXPECT_EQ(results("sm_90"), (std::vector<std::uint32_t>{0x400, product, 1, 1}));
}

}  // namespace
}  // namespace lanescope::sim
