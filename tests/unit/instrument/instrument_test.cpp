// The instrumented kernel is run by the interpreter here, where no GPU is: what it writes into its buffer must equal
// the interpreter's own trace of the plain kernel, event by event.

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
#include "instrument/region_layout.h"
#include "job/witness/record_comparison.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::instrument {
namespace {

struct Case {
  std::string name, source, kernel;
  trace::Launch launch;
  std::vector<sim::Argument> arguments;
};

sim::Argument buffer(sim::ElementType type, std::size_t count, bool iota = true) {
  sim::Argument argument{.type = type, .is_buffer = true};
  argument.contents.resize(count * static_cast<std::size_t>(sim::bytes_of(type)));
  for (std::size_t i = 0; iota && i < count; ++i) {
    const float real = static_cast<float>(i % 97);
    const std::int32_t whole = static_cast<std::int32_t>(i % 97);
    std::byte* at = argument.contents.data() + i * static_cast<std::size_t>(sim::bytes_of(type));
    if (type == sim::ElementType::f32) std::memcpy(at, &real, sizeof real);
    if (type == sim::ElementType::i32) std::memcpy(at, &whole, sizeof whole);
  }
  return argument;
}
sim::Argument scalar(std::int32_t value) {
  return {.type = sim::ElementType::i32, .scalar_bits = static_cast<std::uint32_t>(value)};
}

const std::vector<Case>& cases() {
  using enum sim::ElementType;
  static const std::vector<Case> all = [] {
    std::vector<Case> list;
    list.push_back({"guarded copy with a partial warp",
                    R"(
__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * 3 % n];
})",
                    "k",
                    {.grid = {3}, .block = {80}},
                    {buffer(f32, 200), buffer(f32, 200), scalar(200)}});
    list.push_back({"modulo reduction",
                    R"(
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
})",
                    "k",
                    {.grid = {2}, .block = {128}},
                    {buffer(f32, 256), buffer(f32, 2)}});
    list.push_back({"loops left at different times, early return",
                    R"(
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  int n = in[i] % 7;
  if (n == 3) return;
  int sum = 0;
  for (int j = 0; j < n; ++j) { if ((i + j) % 3 == 0) sum += in[j]; else sum -= in[i]; }
  out[i] = sum;
})",
                    "k",
                    {.grid = {1}, .block = {64}},
                    {buffer(i32, 64), buffer(i32, 64)}});
    list.push_back({"vector widths",
                    R"(
__global__ void k(const float4* in, float2* out) {
  int i = threadIdx.x;
  float4 v = in[i];
  out[2 * i] = make_float2(v.x, v.y);
  out[2 * i + 1] = make_float2(v.z, v.w);
})",
                    "k",
                    {.grid = {2}, .block = {32}},
                    {buffer(f32, 128), buffer(f32, 128)}});
    list.push_back({"atomics, shuffles, votes",
                    R"(
__global__ void k(const int* in, int* sums, int* order) {
  int i = threadIdx.x;
  int v = in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (__any_sync(0xffffffffu, in[i] == 5)) atomicAdd(&sums[i % 4], 1);
  if (i % 2) order[i] = atomicAdd(&sums[4], v) & 0;
  else order[i] = __shfl_xor_sync(0x55555555u, v, 2) & 0;
})",
                    "k",
                    {.grid = {1}, .block = {64}},
                    {buffer(i32, 64), buffer(i32, 8, false), buffer(i32, 64)}});
    list.push_back({"a function that was not inlined, local memory",
                    R"(
__device__ __noinline__ int pick(const int* table, int i) {
  int held[4];
  for (int j = 0; j < 4; ++j) held[j] = table[i + j];
  return held[i % 4];
}
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  int v = i % 3 ? pick(in, i) : in[i];
  out[i] = v;
})",
                    "k",
                    {.grid = {1}, .block = {48}},
                    {buffer(i32, 64), buffer(i32, 48)}});
    list.push_back({"generic addresses",
                    R"(
__device__ __noinline__ float twice(const float* p) { return 2 * *p; }
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  int i = threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  out[i] = twice(i % 2 ? &s[31 - i] : &in[i]) ;
})",
                    "k",
                    {.grid = {1}, .block = {32}},
                    {buffer(f32, 32), buffer(f32, 32)}});
    list.push_back({"cp.async",
                    R"(
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int i = threadIdx.x;
  __pipeline_memcpy_async(&s[i], &in[63 - i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = s[i];
})",
                    "k",
                    {.grid = {1}, .block = {64}},
                    {buffer(f32, 64), buffer(f32, 64)}});
    list.push_back({"switch, 2-D block and grid",
                    R"(
__global__ void k(const int* in, int* out) {
  int i = (blockIdx.y * gridDim.x + blockIdx.x) * 96 + threadIdx.y * 24 + threadIdx.x;
  int v = in[i % 64];
  switch (v % 6) { case 0: v = in[1]; break; case 1: v *= 7; break; case 2: v = v / 3; break; case 3: v += in[2]; break; case 4: v ^= 5; break; default: v = -v; }
  out[i] = v;
})",
                    "k",
                    {.grid = {2, 2}, .block = {24, 4}},
                    {buffer(i32, 64), buffer(i32, 384)}});
    list.push_back({"grid-wide sync",
                    R"(
#include <cooperative_groups.h>
__global__ void k(const int* in, int* out, int* work) {
  auto grid = cooperative_groups::this_grid();
  int i = grid.thread_rank();
  work[i] = in[i] + 1;
  grid.sync();
  out[i] = work[grid.size() - 1 - i];
})",
                    "k",
                    {.grid = {3}, .block = {32}, .cooperative = true},
                    {buffer(i32, 96), buffer(i32, 96), buffer(i32, 96, false)}});
    list.push_back({"functions that call each other and themselves",
                    R"(
struct Wide { double a; float b, c, d; };
__device__ __noinline__ void note(int* out, int i, int v) { if (v % 2) out[i] += v; }
__device__ __noinline__ int sum_down(const int* in, int i) {
  if (i <= 0) return in[0];
  if (in[i] % 5 == 0) return in[i] + sum_down(in, i / 2);
  return in[i] - sum_down(in, i / 3);
}
__device__ __noinline__ Wide widen(const int* in, int i) {
  const double sum = sum_down(in, i);
  return {sum * 0.5, 1.0f * in[i], 2.0f * in[i ^ 1], 3.0f};
}
__device__ __noinline__ bool odd(const int* in, int i) { return in[i] & 1; }
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  for (int j = 0; j <= in[i] % 4; ++j) note(out, i, sum_down(in, i + j));
  if (i % 3 == 1) return;
  const Wide wide = widen(in, i);
  if (odd(in, i)) out[i] += int(wide.a) + int(wide.b + wide.c + wide.d);
})",
                    "k",
                    {.grid = {2}, .block = {56}},
                    {buffer(i32, 64), buffer(i32, 64)}});
    list.push_back({"functions called through pointers",
                    R"(
typedef int (*Pick)(const int*, int);
__device__ __noinline__ int plain(const int* in, int i) { return in[i]; }
__device__ __noinline__ int twice(const int* in, int i) { return 2 * in[i ^ 1] + in[0]; }
__device__ __noinline__ int apply(Pick pick, const int* in, int i) { return pick(in, i) + in[i]; }
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x;
  out[i] = apply(in[i] % 3 ? plain : twice, in, i);
})",
                    "k",
                    {.grid = {1}, .block = {48}},
                    {buffer(i32, 64), buffer(i32, 48)}});
    list.push_back({"many rows beside each other, of two arrays and of shared memory",
                    R"(
__global__ void k(const int* in, int* out, int n, int more) {
  __shared__ int s[32 * 8];
  int i = threadIdx.x, step = n + i * more;
  if (i % 3 == 1) return;
  int sum = in[i] + in[i + step] + in[i + 2 * step] + in[i + 3 * step] + in[i + 4 * step] + in[i + 5 * step];
  for (int j = 0; j < 8; ++j) s[i + j * 32] = sum + j;
  __syncwarp(__activemask());
  int held = s[i] + s[i + n] + s[i + 2 * n] + s[i + 3 * n] + s[i + 4 * n] + s[i + 5 * n];
  out[i] = held;
  out[i + n] = sum;
  if (in[i] > 40) {
    out[i + 2 * n] = in[i + 40] + in[i + n + 40] + in[i + 2 * n + 40] + in[i + 3 * n + 40] + in[i + 4 * n + 40];
  }
})",
                    "k",
                    {.grid = {2}, .block = {32}},
                    {buffer(i32, 640), buffer(i32, 640), scalar(32), scalar(0)}});
    return list;
  }();
  return all;
}

sim::LaunchResult run(const ptx::Module& module, const std::string& kernel, const trace::Launch& launch,
                      std::vector<sim::Argument> arguments) {
  auto program = sim::prepare(module, kernel);
  EXPECT_TRUE(program.ok()) << format(program.errors().front());
  if (!program.ok()) return {};
  sim::LaunchRequest request;
  request.launch = launch;
  request.arguments = std::move(arguments);
  request.record.events = true;
  request.threads = 1;
  return sim::run(**program, request);
}

class InstrumentedRun : public testing::TestWithParam<std::tuple<std::size_t, Pass>> {};

struct Runs {
  sim::LaunchResult plain, recorded;
  Instrumented kernel;
  Recording recording;  // its buffer: the recorded run's
  std::vector<job::DeviceRange> ranges;
};

template <typename T>
sim::Argument raw(const T& value, bool is_buffer) {
  sim::Argument out;
  out.type = sim::ElementType::u8;
  out.is_buffer = is_buffer;
  std::vector<std::byte>& bytes = is_buffer ? out.contents : out.raw_parameter;
  bytes.resize(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return out;
}

// Room for so many units in the parts of the first lanes, and none in those behind.
RegionShape cut(const RegionShape& shape, std::uint32_t units) {
  std::array<std::uint64_t, MemoryModel::lanes> room{};
  for (std::size_t lane = 0; lane < room.size(); ++lane) {
    room[lane] = std::min(shape.lanes[lane].units() - 1, units);
    units -= static_cast<std::uint32_t>(room[lane]);
  }
  return shape_of(room);
}

// `most_capacity`: units of records a region, where that is less than the shape that the plain run asks for.
void run_both(const Case& one, Pass pass, std::uint32_t first_block, std::uint32_t blocks, Runs& out,
              std::uint32_t most_capacity = 0xffffffff, const RegionShape* wanted = nullptr) {
  auto compiled = compile::compile({.name = "case.cu", .text = one.source}, {.name_expressions = {one.kernel}});
  ASSERT_TRUE(compiled.ok()) << format(compiled.errors().front());
  const std::string mangled = compiled->mangled.at(one.kernel);
  auto module = ptx::parse(compiled->text, "case.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  out.plain = run(*module, mangled, one.launch, one.arguments);
  ASSERT_TRUE(out.plain.completed) << format(out.plain.diagnostics.front());

  auto instrumented = instrument(*module, mangled, pass);
  ASSERT_TRUE(instrumented.ok()) << format(instrumented.errors().front());
  out.kernel = *instrumented;
  auto again = ptx::parse(out.kernel.ptx, "instrumented.ptx");
  ASSERT_TRUE(again.ok()) << format(again.errors().front());

  RegionShape shape = wanted ? *wanted : region_shape(out.kernel, out.plain.trace);
  if (shape.capacity() > most_capacity) shape = cut(shape, most_capacity);
  const std::uint64_t regions = std::uint64_t{blocks} * one.launch.warps_per_block();
  out.recording.control = {.first_block = first_block,
                           .block_count = blocks,
                           .regions = static_cast<std::uint32_t>(regions),
                           .warps_per_block = one.launch.warps_per_block(),
                           .records = records_offset};
  out.recording.lanes = shape.lanes;
  std::vector<sim::Argument> arguments = one.arguments;
  arguments.push_back(buffer(sim::ElementType::u8, buffer_bytes(regions, shape.capacity()), false));
  arguments.push_back(raw(shape.lanes, true));
  arguments.push_back(raw(out.recording.control, false));
  out.recorded = run(*again, mangled, one.launch, arguments);
  ASSERT_TRUE(out.recorded.completed) << format(out.recorded.diagnostics.front());
  out.recording.buffer = out.recorded.arguments[one.arguments.size()].contents;
  for (const trace::Buffer& found : out.recorded.trace.buffers)
    if (found.argument >= 0 && found.argument < static_cast<std::int32_t>(one.arguments.size()))
      out.ranges.push_back({found.argument, found.address, found.bytes});
}

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
  // A grid-wide sync spins as often as the schedule makes it: its own polling may differ, nothing else.
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

// Each lane's own events must come in the order in which it made them: for every lane, the interpreter's order of
// sites.
TEST_P(InstrumentedRun, KeepsEveryLanesProgramOrder) {
  const auto& [index, which] = GetParam();
  const Pass pass = which;  // clang 14 takes no part of a pair into a lambda
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
  ASSERT_EQ(made->groups.size(), 2u);  // a barrier parts them
  EXPECT_EQ(made->groups[0].sites, 2);
  EXPECT_EQ(made->groups[1].sites, 17);
  EXPECT_EQ(made->groups[1].words, 2);  // where the loads begin, and the store's address
}

TEST(Instrument, ABaseThatIsOverwrittenEndsItsGroup) {
  // %rd1 is another address by the second load: one record for both would put the first where the second was.
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
  // ptxas makes branches of the others, and such branches changed a result (see instrument.h).
  for (const std::size_t index : {1u, 5u, 10u, 11u})
    for (const Pass pass : {Pass::memory, Pass::block_entries, Pass::operations}) {
      Runs runs;
      ASSERT_NO_FATAL_FAILURE(run_both(cases()[index], pass, 0, 1, runs));
      std::istringstream lines(runs.kernel.ptx);
      for (std::string line; std::getline(lines, line);)
        EXPECT_FALSE(test::is_found(line, "^\\t@.*(atom|red|ld|shfl|vote)\\..*%lanescope")) << line;
    }
}

// Loops left at different times, where several lanes write; kernels that call, by name, themselves, and through
// pointers.
class InstrumentOverflow : public testing::TestWithParam<std::tuple<std::size_t, Pass>> {};
INSTANTIATE_TEST_SUITE_P(Cases, InstrumentOverflow,
                         testing::Combine(testing::Values(2, 5, 10, 11), testing::Values(Pass::memory)),
                         parameter_name_of);
INSTANTIATE_TEST_SUITE_P(Entries, InstrumentOverflow,
                         testing::Combine(testing::Values(1, 2, 10), testing::Values(Pass::block_entries)),
                         parameter_name_of);

TEST(Instrument, APointerStaysThePlainFunctions) {
  // What a kernel keeps of it must not depend on whether it is recorded.
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

TEST(Instrument, ARecordTakesRoomForTheLanesThatExecuted) {
  // Every fourth lane loads and stores: 8 lanes, two words of each, in whole units behind the header and the upper
  // words.
  Runs runs;
  const Case one{"few lanes",
                 R"(
__global__ void k(const int* in, int* out) {
  if (threadIdx.x % 4 == 0) out[threadIdx.x] = in[threadIdx.x];
})",
                 "k",
                 {.grid = {1}, .block = {32}},
                 {buffer(sim::ElementType::i32, 32), buffer(sim::ElementType::i32, 32)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 1, runs));
  const std::byte* first = runs.recording.buffer.data() + runs.recording.control.records;
  const auto word_at = [&](std::size_t unit, std::size_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, first + unit * sizeof(Header) + 4 * word, sizeof value);
    return value;
  };
  ASSERT_EQ(runs.kernel.groups.size(), 1u);
  EXPECT_EQ(runs.kernel.groups[0].units(0, 8), 2u + 4u);
  EXPECT_EQ(word_at(0, 1), 0x11111111u);
  for (std::uint32_t lane = 1; lane < 8; ++lane)
    for (std::size_t word = 0; word < 2; ++word)
      EXPECT_EQ(word_at(2, 2 * lane + word), word_at(2, word) + 16 * lane) << "the addresses, without gaps";
  for (std::size_t word = 0; word < 4; ++word) EXPECT_EQ(word_at(6, word), 0u) << "behind the record";
}

TEST(Instrument, OneBaseWithoutAGuardHasItsUpperWordInTheHeader) {
  Runs runs;
  const Case one{"one store",
                 "__global__ void k(int* out) { out[threadIdx.x] = 1; }",
                 "k",
                 {.grid = {2}, .block = {40}},
                 {buffer(sim::ElementType::i32, 40)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs));
  ASSERT_EQ(runs.kernel.groups.size(), 1u);
  EXPECT_TRUE(runs.kernel.groups[0].short_header);
  EXPECT_EQ(runs.kernel.groups[0].units(0, 32), 1u + 8u);
  Header header;
  std::memcpy(&header, runs.recording.buffer.data() + runs.recording.control.records, sizeof header);
  EXPECT_EQ(header.executed, 0xffffffffu);
  EXPECT_EQ(header.order, runs.ranges.at(0).address >> 32) << "where the order is in others";
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
  EXPECT_TRUE(job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 2, runs.ranges).agrees());
}

TEST(Instrument, WordsAsFarApartInAllLanesAreKeptOnce) {
  // Five rows above each other: four words. With a row length of its own in each lane they are not as far apart.
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    Runs runs;
    const Case one{"a column",
                   R"(
__global__ void k(const int* in, int* out, int n) {
  int i = threadIdx.x;
  if (n == 0) n = 1 + i % 5;
  if (i % 3 == 1) return;
  out[i] = in[i] + in[i + n] + in[i + 2 * n];
})",
                   "k",
                   {.grid = {2}, .block = {48}},
                   {buffer(sim::ElementType::i32, 256), buffer(sim::ElementType::i32, 48), scalar(same ? 40 : 0)}};
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs));
    ASSERT_EQ(runs.kernel.groups.back().words, 4);
    std::uint32_t parallel = 0;
    for (std::size_t region = 0; region < 4; ++region) {
      Header header;
      std::memcpy(&header,
                  runs.recording.buffer.data() + runs.recording.control.records +
                      runs.recording.lanes[0].first_unit(4, region) * sizeof header,
                  sizeof header);
      parallel += header.group & Header::parallel ? 1 : 0;
    }
    EXPECT_EQ(parallel, same ? 4u : 0u);
    auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
    ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
    EXPECT_TRUE(job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 2, runs.ranges).agrees());
  }
}

TEST(Instrument, ManyWordsThatRunBesideEachOtherAreOneRecord) {
  // Seven rows above each other, of two arrays: one record; where each lane has a row length of its own it holds every
  // word of every lane.
  for (const int more : {0, 3}) {
    SCOPED_TRACE(more);
    Runs runs;
    const Case one{"a high column",
                   R"(
__global__ void k(const int* in, int* out, int n, int more) {
  int i = threadIdx.x;
  n += i * more;
  if (i % 3 == 1) return;
  out[i] = in[i] + in[i + n] + in[i + 2 * n] + in[i + 3 * n] + in[i + 4 * n] + in[i + 5 * n];
})",
                   "k",
                   {.grid = {2}, .block = {48}},
                   {buffer(sim::ElementType::i32, 1024), buffer(sim::ElementType::i32, 48), scalar(40), scalar(more)}};
    RegionShape roomy;
    for (std::uint32_t lane = 0; lane < roomy.lanes.size(); ++lane) roomy.lanes[lane] = {lane * 200, lane * 200 + 200};
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs, 0xffffffff, &roomy));
    ASSERT_EQ(runs.kernel.groups.size(), 1u);
    const RecordGroup& group = runs.kernel.groups.front();
    EXPECT_EQ(group.words, 7);
    EXPECT_EQ(group.sites, 7);
    EXPECT_FALSE(group.short_header);
    EXPECT_EQ(group.units(Header::parallel, 32), 2u + 2u + 8u);
    EXPECT_EQ(group.units(0, 32), 2u + 7u * 16u);
    for (std::size_t region = 0; region < 4; ++region) {
      Header header;
      std::memcpy(&header,
                  runs.recording.buffer.data() + runs.recording.control.records +
                      runs.recording.lanes[0].first_unit(4, region) * sizeof header,
                  sizeof header);
      EXPECT_EQ((header.group & Header::parallel) != 0, more == 0) << region;
    }
    auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
    ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
    const auto comparison = job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 2, runs.ranges);
    EXPECT_TRUE(comparison.agrees()) << testing::PrintToString(comparison.differences);
    EXPECT_EQ(comparison.interpreted, 28u);

    // The room that is expected is that of words beside each other. What does not fit is counted, and fits the next
    // time.
    Runs tight;
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, tight, 60));
    const EventCount first = count_events(tight.kernel, tight.recording);
    EXPECT_EQ(first.written + first.dropped, 28u);
    EXPECT_EQ(first.dropped > 0, more != 0);
    const RegionShape larger = enlarged(tight.kernel, tight.recording);
    Runs again;
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, again, 0xffffffff, &larger));
    EXPECT_EQ(count_events(again.kernel, again.recording).written, 28u);
  }
}

TEST(Instrument, WhatOnlyAGatherTellsIsNotExpectedBesideEachOther) {
  const char* source = R"(
__global__ void k(const int* in, const int* where, int* out) {
  int i = threadIdx.x, sum = 0;
  for (int j = 0; j < 8; ++j) sum += in[where[i * 8 + j]];
  out[i] = sum;
})";
  auto compiled = compile::compile({.name = "case.cu", .text = source}, {.name_expressions = {"k"}});
  ASSERT_TRUE(compiled.ok());
  auto module = ptx::parse(compiled->text, "case.ptx");
  ASSERT_TRUE(module.ok());
  auto made = instrument(*module, compiled->mangled.at("k"), Pass::memory);
  ASSERT_TRUE(made.ok());
  for (const RecordGroup& group : made->groups) EXPECT_LE(group.words, 4);
}

TEST(Instrument, UpperWordsThatDifferAreKeptOfEachLane) {
  // Half of the lanes read shared memory through a pointer, half global memory: no two upper words need be equal.
  Runs runs;
  ASSERT_NO_FATAL_FAILURE(run_both(cases()[6], Pass::memory, 0, 1, runs));
  const std::byte* first = runs.recording.buffer.data() + runs.recording.control.records;
  bool wide = false;
  for (std::size_t unit = 0; unit + 1 < runs.recording.lanes[0].units(); ++unit) {
    Header header;
    std::memcpy(&header, first + unit * sizeof header, sizeof header);
    const std::uint32_t number = header.group & ~Header::wide;
    wide = wide || ((header.group & Header::wide) && number > 0 && number <= runs.kernel.groups.size());
  }
  EXPECT_TRUE(wide);
}

TEST(Instrument, RecordingFunctionsLeaveRoomForWarps) {
  // Called functions with arguments in twelve registers and sixteen to keep took 60, and half of the warps had no room.
  // The limits that a kernel sets itself must not keep it from being recorded.
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
  // A linker places several in an order of its own, and a recorded function would have its own beside the plain one's.
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
  // The same run with that shape drops nothing.
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
  const Case& one = cases()[1];  // the modulo reduction: many events a warp
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
