// Runs the instrumented kernel in the interpreter, so no GPU is needed. What it writes into its buffer must equal the
// interpreter's own trace of the plain kernel, event by event.

#include "instrument/instrument.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "expressions.h"
#include "instrumented_runs.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::instrument {
namespace {

class InstrumentedRun : public testing::TestWithParam<std::tuple<std::size_t, Pass>> {};

TEST_P(InstrumentedRun, RecordsWhatTheInterpreterSawAndKeepsTheResult) {
  const auto [index, pass] = GetParam();
  const Case& one = cases()[index];
  Runs runs;
  ASSERT_NO_FATAL_FAILURE(run_both(one, pass, 0, static_cast<std::uint32_t>(one.launch.grid.count()), runs));
  for (std::size_t i = 0; i < one.arguments.size(); ++i)
    EXPECT_EQ(runs.plain.arguments[i].contents, runs.recorded.arguments[i].contents) << "argument " << i;
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
  const auto comparison = job::compare_records(runs.plain.trace, *trace, pass, 0,
                                               static_cast<std::uint32_t>(one.launch.grid.count()), runs.ranges);
  // A grid-wide sync polls as often as the schedule makes it, so only the number of polls may differ.
  if (one.launch.cooperative) return;
  EXPECT_TRUE(comparison.agrees()) << comparison.interpreted << " interpreted, " << comparison.recorded << " recorded, "
                                   << comparison.equal << " equal\n"
                                   << testing::PrintToString(comparison.differences);
  if (pass != Pass::operations) {
    EXPECT_GT(comparison.interpreted, 0u) << "a case that records nothing tests nothing";
  }
}

std::string parameter_name_of(const testing::TestParamInfo<std::tuple<std::size_t, Pass>>& info) {
  std::string name = cases()[std::get<0>(info.param)].name + "_" + to_string(std::get<1>(info.param));
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Corpus, InstrumentedRun,
                         testing::Combine(testing::Range<std::size_t>(0, cases().size()),
                                          testing::Values(Pass::memory, Pass::block_entries, Pass::operations)),
                         parameter_name_of);

TEST(Instrument, OnlyChosenBlocksRecord) {
  Runs runs;
  const Case& one = cases()[0];
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 1, 1, runs));
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok());
  ASSERT_FALSE(trace->events.empty());
  EXPECT_TRUE(
      std::all_of(trace->events.begin(), trace->events.end(), [](const auto& event) { return event.block == 1; }));
  const auto comparison = job::compare_records(runs.plain.trace, *trace, Pass::memory, 1, 1, runs.ranges);
  EXPECT_TRUE(comparison.agrees());
}

// Each lane's events must be in program order: for every lane, the sites must follow as in the interpreter.
TEST_P(InstrumentedRun, KeepsEveryLanesProgramOrder) {
  const auto& [index, which] = GetParam();
  const Pass pass = which;  // clang 14 cannot capture a structured binding
  const Case& one = cases()[index];
  if (one.launch.cooperative) return;
  Runs runs;
  ASSERT_NO_FATAL_FAILURE(run_both(one, pass, 0, static_cast<std::uint32_t>(one.launch.grid.count()), runs));
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
  using Thread = std::tuple<std::uint32_t, std::uint16_t, int>;
  const auto sites_by_thread = [&](const trace::Trace& from) {
    std::map<Thread, std::vector<std::uint32_t>> sites;
    for (const trace::WarpEvent& event : from.events) {
      if (!job::belongs_to(event, pass)) continue;
      const bool by_active = event.kind == trace::EventKind::branch || event.kind == trace::EventKind::guarded;
      (by_active ? event.active : event.executed).for_each([&](int lane) {
        sites[{event.block, event.warp, lane}].push_back(event.site);
      });
    }
    return sites;
  };
  EXPECT_EQ(sites_by_thread(*trace), sites_by_thread(runs.plain.trace));
}

TEST(Instrument, NeighbouringAccessesShareARecord) {
  const char* source = R"(
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int i = threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 16; ++j) sum += s[(i & 32) + j];
  out[i] = sum;
})";
  auto compiled = compile::compile({.name = "case.cu", .text = source}, {.name_expressions = {"k"}});
  ASSERT_TRUE(compiled.ok());
  auto module = ptx::parse(compiled->text, "case.ptx");
  ASSERT_TRUE(module.ok());
  auto made = instrument(*module, compiled->mangled.at("k"), Pass::memory);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->sites.size(), 19u);  // load, store | 16 loads, store
  ASSERT_EQ(made->groups.size(), 2u);  // a barrier separates them
  EXPECT_EQ(made->groups[0].sites, 2);
  EXPECT_EQ(made->groups[1].sites, 17);
  EXPECT_EQ(made->groups[1].words, 2);  // the start of the loads, and the store's address
}

TEST(Instrument, ABaseThatIsOverwrittenEndsItsGroup) {
  // %rd1 has changed by the second load. A record for both would place the first load at the second's address.
  const char* text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.global.u32 %r1, [%rd1];
  add.s64 %rd1, %rd1, 64;
  ld.global.u32 %r2, [%rd1];
  ld.global.u32 %r3, [%rd1+4];
  ret;
}
)";
  auto module = ptx::parse(text, "k.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  auto made = instrument(*module, "k", Pass::memory);
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->groups.size(), 2u);
  EXPECT_EQ(made->groups[0].sites, 1);
  EXPECT_EQ(made->groups[1].sites, 2);
}

TEST(Instrument, OnlyStoresAndArithmeticStandBehindAPredicate) {
  // ptxas turns other predicated instructions into branches, and such branches changed a result (see instrument.h).
  for (const std::size_t index : {1u, 5u, 10u, 11u})
    for (const Pass pass : {Pass::memory, Pass::block_entries, Pass::operations}) {
      Runs runs;
      ASSERT_NO_FATAL_FAILURE(run_both(cases()[index], pass, 0, 1, runs));
      std::istringstream lines(runs.kernel.ptx);
      for (std::string line; std::getline(lines, line);)
        EXPECT_FALSE(test::is_found(line, "^\\t@.*(atom|red|ld|shfl|vote)\\..*%lanescope")) << line;
    }
}

// Loops that lanes leave at different times and in which several lanes write; kernels that call functions by name,
// recursively, and through pointers.
class InstrumentOverflow : public testing::TestWithParam<std::tuple<std::size_t, Pass>> {};
INSTANTIATE_TEST_SUITE_P(Cases, InstrumentOverflow,
                         testing::Combine(testing::Values(2, 5, 10, 11), testing::Values(Pass::memory)),
                         parameter_name_of);
INSTANTIATE_TEST_SUITE_P(Entries, InstrumentOverflow,
                         testing::Combine(testing::Values(1, 2, 10), testing::Values(Pass::block_entries)),
                         parameter_name_of);

TEST(Instrument, APointerStaysThePlainFunctions) {
  // A pointer that a kernel stores must not depend on recording.
  const char* source = R"(
__device__ __noinline__ int plain(const int* in, int i) { return in[i]; }
__device__ __noinline__ int twice(const int* in, int i) { return 2 * in[i]; }
__global__ void k(const int* in, int* out, unsigned long long* kept) {
  int i = threadIdx.x;
  int (*pick)(const int*, int) = in[i] % 2 ? plain : twice;
  kept[i] = reinterpret_cast<unsigned long long>(pick) == reinterpret_cast<unsigned long long>(&plain);
  out[i] = pick(in, i);
})";
  Runs runs;
  const Case one{
      "pointers kept",
      source,
      "k",
      {.grid = {2}, .block = {32}},
      {buffer(sim::ElementType::i32, 32), buffer(sim::ElementType::i32, 32), buffer(sim::ElementType::u64, 32, false)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 1, runs));
  EXPECT_EQ(runs.plain.arguments[2].contents, runs.recorded.arguments[2].contents);
  for (const trace::WarpEvent& event : runs.recorded.trace.events)
    EXPECT_FALSE(event.block == 1 &&
                 runs.recorded.trace.functions[static_cast<std::size_t>(runs.recorded.trace.sites[event.site].function)]
                     .ends_with("_lanescope_recorded"))
        << "a block that was not chosen records";
}

TEST(Instrument, RecordingFunctionsLeaveRoomForWarps) {
  // Called functions with arguments in twelve registers and sixteen callee-saved ones took 60 registers, so half of the
  // warps did not fit. A kernel's own launch bounds must not prevent recording.
  const std::string functions = R"(
__device__ __noinline__ float mean(const float* in, int i) { return 0.5f * (in[i] + in[i ^ 1]); }
__device__ __noinline__ float middle(const float* in, int i) { return 0.25f * (in[i] + in[i ^ 2]); }
)";
  const std::string by_name =
      "__global__ void k(const float* in, float* out) { int i = threadIdx.x; out[i] = mean(in, i) + middle(in, i ^ "
      "32); }";
  const std::string by_pointer = R"(
__global__ void __launch_bounds__(1024, 2) k(const float* in, float* out) {
  int i = threadIdx.x;
  float (*pick)(const float*, int) = i % 3 ? mean : middle;
  out[i] = pick(in, i) + pick(in, i ^ 32);
})";
  for (const std::string& kernel : {by_name, by_pointer}) {
    auto compiled = compile::compile({.name = "case.cu", .text = functions + kernel}, {.name_expressions = {"k"}});
    ASSERT_TRUE(compiled.ok()) << format(compiled.errors().front());
    auto module = ptx::parse(compiled->text, "case.ptx");
    ASSERT_TRUE(module.ok());
    for (const Pass pass : {Pass::memory, Pass::block_entries, Pass::operations}) {
      auto made = instrument(*module, compiled->mangled.at("k"), pass);
      ASSERT_TRUE(made.ok());
      auto sass = compile::to_cubin(made->ptx, made->kernel, "sm_90");
      ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
      EXPECT_LE(sass->registers_per_thread, 40) << to_string(pass);
      EXPECT_EQ(sass->spill_store_bytes, 0u) << to_string(pass);
    }
  }
}

TEST(Instrument, SharedVariablesLieAsInThePlainKernel) {
  // A linker places several variables in its own order, and a recorded copy of the function would have its own variable
  // beside the plain one's.
  const char* source = R"(
__device__ __noinline__ int kept(int i) {
  __shared__ int last[4];
  last[i % 4] = i;
  __syncthreads();
  return last[(i + 1) % 4];
}
__global__ void k(const int* in, int* out) {
  __shared__ char flag;
  __shared__ double sums[2];
  extern __shared__ int more[];
  int i = threadIdx.x;
  if (i == 0) flag = in[1];
  if (i < 2) sums[i] = in[i];
  more[i] = in[i];
  __syncthreads();
  out[i] = kept(i) + flag + (int)sums[i % 2] + more[31 - i];
})";
  const trace::Launch launch{.grid = {1}, .block = {32}, .dynamic_shared_bytes = 128};
  Runs runs;
  const Case one{
      "shared variables", source, "k", launch, {buffer(sim::ElementType::i32, 32), buffer(sim::ElementType::i32, 32)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 1, runs));
  EXPECT_EQ(runs.plain.arguments[1].contents, runs.recorded.arguments[1].contents);
  EXPECT_NE(runs.kernel.ptx.find(".shared .align 8 .b8 lanescope_shared[40];"), std::string::npos)
      << "1 + 7 + 16 + 16 bytes";
  std::size_t declared = 0;
  for (std::size_t at = 0; (at = runs.kernel.ptx.find(".shared .align", at)) != std::string::npos; ++at) ++declared;
  EXPECT_EQ(declared, 2u) << "the block, and what the launch adds";
  auto trace = decode(runs.kernel, runs.recording, launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
  const auto comparison = job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 1, runs.ranges);
  EXPECT_TRUE(comparison.agrees()) << testing::PrintToString(comparison.differences);
}

TEST(Instrument, DynamicSharedMemoryBeginsWhereThePlainKernelsDoes) {
  // ptxas aligns it to 128 bytes. A linker would begin it behind the static 4 bytes, at 16.
  const char* source = R"(
__global__ void k(const int* in, int* out) {
  extern __shared__ __align__(128) int more[];
  __shared__ int first;
  int i = threadIdx.x;
  if (i == 0) first = in[1];
  more[i] = in[i];
  __syncthreads();
  out[i] = first + more[31 - i];
})";
  const trace::Launch launch{.grid = {1}, .block = {32}, .dynamic_shared_bytes = 128};
  Runs runs;
  const Case one{
      "aligned", source, "k", launch, {buffer(sim::ElementType::i32, 32), buffer(sim::ElementType::i32, 32)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 1, runs));
  EXPECT_EQ(runs.plain.arguments[1].contents, runs.recorded.arguments[1].contents);
  EXPECT_NE(runs.kernel.ptx.find(".shared .align 128 .b8 lanescope_shared[128];"), std::string::npos)
      << runs.kernel.ptx;
}

TEST(Instrument, ARegisterLimitIsThatOfTheKernel) {
  auto compiled = compile::compile({.name = "case.cu",
                                    .text = "__global__ void k(float* a) { a[threadIdx.x] += 1; } __global__ void "
                                            "__launch_bounds__(256, 4) own(float* a) { a[threadIdx.x] += 1; }"},
                                   {.name_expressions = {"k", "own"}});
  ASSERT_TRUE(compiled.ok());
  auto module = ptx::parse(compiled->text, "case.ptx");
  ASSERT_TRUE(module.ok());
  const auto ptx_of = [&](const char* kernel, int most) {
    return instrument(*module, compiled->mangled.at(kernel), Pass::memory, most)->ptx;
  };
  EXPECT_EQ(ptx_of("k", 0).find(".maxnreg"), std::string::npos);
  EXPECT_NE(ptx_of("k", 24).find(".maxnreg 24"), std::string::npos);
  EXPECT_EQ(ptx_of("own", 24).find(".maxnreg"), std::string::npos) << "it has a limit of its own";
  auto code = compile::to_cubin(ptx_of("k", 24), compiled->mangled.at("k"), "sm_90");
  ASSERT_TRUE(code.ok()) << format(code.errors().front());
  EXPECT_LE(code->registers_per_thread, 24);
}

TEST(Instrument, ACallThatCannotHandItsPlaceOnIsADiagnostic) {
  const char* text = R"(.version 9.0
.target sm_90
.address_size 64
.func f() { ret; }
.visible .entry k()
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 call f, ();
  ret;
}
)";
  auto module = ptx::parse(text, "k.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  auto made = instrument(*module, "k", Pass::memory);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.errors().front().code, "instrument.unsupported");
  EXPECT_EQ(made.errors().front().place.line, 11);
}

TEST_P(InstrumentOverflow, IsCountedExactlyAndFitsTheNextTime) {
  Runs runs;
  const auto [index, pass] = GetParam();
  const Case& one = cases()[index];
  ASSERT_NO_FATAL_FAILURE(run_both(one, pass, 0, 1, runs, pass == Pass::memory ? 24 : 2));
  const std::uint64_t all = static_cast<std::uint64_t>(
      std::count_if(runs.plain.trace.events.begin(), runs.plain.trace.events.end(),
                    [pass = pass](const auto& event) { return event.block == 0 && job::belongs_to(event, pass); }));
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok());
  EXPECT_GT(trace->events_dropped, 0u);
  EXPECT_EQ(trace->events.size() + trace->events_dropped, all);
  const RegionShape larger = enlarged(runs.kernel, runs.recording);
  // The same run with the new shape drops nothing.
  const std::uint64_t warps = one.launch.warps_per_block();
  Runs roomy;
  ASSERT_NO_FATAL_FAILURE(run_both(one, pass, 0, 1, roomy, 0xffffffff, &larger));
  const EventCount count = count_events(roomy.kernel, roomy.recording);
  EXPECT_EQ(count.written, all);
  EXPECT_EQ(count.dropped, 0u);
  EXPECT_EQ(roomy.recording.buffer.size(), buffer_bytes(warps, larger.capacity()));
}

TEST(Instrument, ADamagedRecordingIsADiagnostic) {
  Runs runs;
  ASSERT_NO_FATAL_FAILURE(run_both(cases()[0], Pass::memory, 0, 3, runs));
  std::vector<std::byte> bytes(runs.recording.buffer.begin(), runs.recording.buffer.end());
  runs.recording.buffer = bytes;
  const std::uint32_t nonsense = 77777;
  std::memcpy(bytes.data() + runs.recording.control.records, &nonsense, sizeof nonsense);
  auto trace = decode(runs.kernel, runs.recording, cases()[0].launch, runs.plain.trace);
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.errors().front().code, "instrument.damaged_recording");
  runs.recording.buffer = runs.recording.buffer.first(64);
  trace = decode(runs.kernel, runs.recording, cases()[0].launch, runs.plain.trace);
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.errors().front().code, "instrument.damaged_recording");
}

TEST(Instrument, WhatDoesNotFitIsCountedExactly) {
  Runs runs;
  const Case& one = cases()[1];  // the modulo reduction has many events per warp
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs, 20));
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok());
  const auto memory_events = std::count_if(runs.plain.trace.events.begin(), runs.plain.trace.events.end(),
                                           [](const auto& event) { return job::belongs_to(event, Pass::memory); });
  EXPECT_EQ(trace->events.size() + trace->events_dropped, static_cast<std::size_t>(memory_events));
  EXPECT_GT(trace->events_dropped, 0u);
  EXPECT_EQ(runs.plain.arguments[1].contents, runs.recorded.arguments[1].contents);
}

TEST(Instrument, AnUnknownKernelIsADiagnostic) {
  const auto refused = instrument(ptx::Module{}, "missing", Pass::memory);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().code, "instrument.no_such_kernel");
}

}  // namespace
}  // namespace lanescope::instrument
