// Variants with several launches: memory carries over, and numbers are kept per launch.

#include <gmock/gmock.h>

#include "job/lesson/lesson_check.h"
#include "job/lesson/lesson_request.h"
#include "job/run/numbers.h"
#include "job/witness/gpu_report.h"
#include "lesson/lesson_fixture.h"

namespace lanescope::job {
namespace {

using test::replaced;
using testing::HasSubstr;

// Sums 256 numbers: first in blocks of 32, then by halvings between two buffers until one is left, then a copy.
constexpr const char* toml = R"x(id = "sums"
order = 1
title = "Sums"
question = "How many launches?"
summary = "Halving, launch by launch."

[[control]]
name = "n"
choices = [64, 256, 1024]
value = 256
explain = "Elements."

[[variant]]
id = "halving"
file = "halving.cu"
kernel = "blocks"
summary = "Blocks first."
controls = ["n"]
grid = "n / 32"
block = 32
arguments = [
  { name = "in", buffer = "f32", count = "n", fill = "iota" },
  { name = "ping", buffer = "f32", count = "n / 32", fill = "none" },
]
buffers = [
  { name = "pong", buffer = "f32", count = "n / 32", fill = "none" },
  { name = "out", buffer = "f32", count = "1", fill = "none" },
]
look = { launch = 2 }
[[variant.launch]]
kernel = "halve"
grid = 1
block = 32
repeat = "log2_ceil(n / 32)"
swap = ["ping", "pong"]
arguments = ["ping", "pong", { name = "left", scalar = "i32", value = "n / 32 / pow2(k + 1)" }]
[[variant.launch]]
kernel = "copy_one"
grid = 1
block = 1
arguments = ["pong", "out"]
[[variant.check]]
elements = "out[i] == sum(j, 0, n, in[j])"
count = 1
[[variant.check]]
number = "launch2@load.global_load.requests == 2 * log2_ceil(n / 32)"
[[variant.check]]
number = "global_load.requests == n / 32"
[[variant.check]]
number = "launch3.global_load.requests == 1"
[[variant.check]]
number = "all.global_load.requests == n / 32 + 2 * log2_ceil(n / 32) + 1"
)x";

constexpr const char* kernels = R"x(__global__ void blocks(const float* in, float* sums) {
  float value = in[blockIdx.x * 32 + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x == 0) sums[blockIdx.x] = value;
}
__global__ void halve(const float* from, float* to, int left) {
  if (threadIdx.x < left) to[threadIdx.x] = from[threadIdx.x] + from[threadIdx.x + left];  // @load
}
__global__ void copy_one(const float* from, float* to) { *to = *from; }
)x";

struct Sums {
  test::TempFolder folder;
  explicit Sums(const std::string& written = toml, const std::string& source = kernels) {
    test::write_file(folder / "lesson.toml", written);
    test::write_file(folder / "halving.cu", source);
    test::write_file(folder / "text.md",
                     "# Read\n# Predict\n# Run\n# See\n[[6 = halving.launch2@load.global_load.requests]] "
                     "{{halving.all.warp_instructions}}\n# Explain\n# Try\n");
  }
  Result<lesson::Lesson> load() const { return lesson::load(folder.path().string()); }
  Outcome run(const lesson::ControlValues& controls = {}) const {
    const Result<lesson::Lesson> lesson = load();
    EXPECT_TRUE(lesson.ok()) << (lesson ? "" : format(lesson.errors()[0]));
    if (!lesson) return {};
    return job::run(*from_lesson(*lesson, lesson->variants[0], controls), &lesson->variants[0]);
  }
};

// n / 32 = 8 sums need three halvings, so the last one is odd and the sum is in `pong` (k = 0, 2).
TEST(Launches, MemoryCarriesOverAndRepeatsAreSummed) {
  const Outcome outcome = Sums().run();
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics[0]);
  ASSERT_EQ(outcome.launches.size(), 3u);
  EXPECT_EQ(outcome.launches[1].repeats, 3);
  EXPECT_EQ(outcome.launches[2].repeats, 1);
  for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.holds) << check.description << ": " << check.detail;
  EXPECT_EQ(outcome.checks.size(), 5u);
  ASSERT_EQ(outcome.buffers.size(), 4u);
  EXPECT_EQ(outcome.buffers[3].name, "out");
  EXPECT_EQ(outcome.buffers[3].sum, 255 * 256 / 2);
  EXPECT_EQ(outcome.all_totals().of(trace::MemoryClass::global_load).requests, 15u);
}

TEST(Launches, JsonListsEachLaunch) {
  const std::string json = to_json(Sums().run(), false);
  EXPECT_THAT(json, HasSubstr(R"("launches":[{"kernel":"blocks","repeats":1,)"));
  EXPECT_THAT(json, HasSubstr(R"({"kernel":"halve","repeats":3,)"));
  EXPECT_THAT(json, HasSubstr(R"({"kernel":"copy_one","repeats":1,)"));
}

// Recorded numbers replace the interpreter's for all launches or for none: a sum must not mix both.
TEST(Launches, TheGpusNumbersStandForAllOrNone) {
  const Outcome interpreted = Sums().run();
  ASSERT_TRUE(interpreted.completed);
  GpuReport report;
  report.run.arguments = interpreted.arguments;
  const auto recorded = [](const trace::Trace& of, std::uint64_t loads) {
    trace::Trace trace = of;
    trace.origin = trace::Origin::recorded;
    trace.totals = {};
    trace.totals.of(trace::MemoryClass::global_load).requests = loads;
    return trace;
  };
  report.first().recorded = recorded(interpreted.first().trace, 100);
  const std::vector<WhichLaunch> which = executions(interpreted);
  for (std::size_t i = 1; i < which.size(); ++i) {
    LaunchWitness& one = report.launches.emplace_back();
    one.agreement.which = which[i];
    one.recorded = recorded(*interpreted.trace_of(which[i].number), 1000 * i);
  }
  Outcome on = on_gpu(interpreted, report, nullptr);
  EXPECT_EQ(on.first().trace.origin, trace::Origin::recorded);
  EXPECT_EQ(on.launches[1].trace.origin, trace::Origin::recorded);
  EXPECT_EQ(on.launches[1].trace.totals.of(trace::MemoryClass::global_load).requests, 1000u + 2000 + 3000)
      << "its repeats together";
  EXPECT_EQ(on.all_totals().of(trace::MemoryClass::global_load).requests, 100u + 6000 + 4000);

  report.launches[2].recorded.reset();
  on = on_gpu(interpreted, report, nullptr);
  EXPECT_EQ(on.first().trace.origin, trace::Origin::interpreted);
  EXPECT_EQ(on.all_totals().of(trace::MemoryClass::global_load).requests, 15u);
}

TEST(Launches, SwappedBuffersTradePlacesInOddRepeats) {
  const Result<lesson::Lesson> lesson = Sums().load();
  const Request request = *from_lesson(*lesson, lesson->variants[0], {});
  ASSERT_EQ(request.launches.size(), 5u);
  EXPECT_EQ(request.launches[1].parameters[0].buffer, 1);
  EXPECT_EQ(request.launches[2].parameters[0].buffer, 2);
  EXPECT_EQ(request.launches[3].parameters[2].scalar.text(), "i32=1");
}

TEST(Launches, WhatNobodyWroteStaysUnreadable) {
  // Launch 1 skips every second sum, so launch 2 reads an element that nobody wrote.
  const Sums sums(toml, replaced(kernels, "threadIdx.x == 0)", "threadIdx.x == 0 && blockIdx.x % 2 == 0)"));
  const Outcome outcome = sums.run();
  EXPECT_FALSE(outcome.completed);
  ASSERT_FALSE(outcome.diagnostics.empty());
  EXPECT_THAT(outcome.diagnostics[0].message, testing::StartsWith("Launch 2, `halve`: "));
  EXPECT_EQ(outcome.diagnostics[0].place.line, 7);
  // Partly written, and read only where it was written.
  const std::string even = replaced(replaced(kernels, "threadIdx.x == 0)", "threadIdx.x == 0 && blockIdx.x % 2 == 0)"),
                                    "= from[threadIdx.x] + from[threadIdx.x + left]", "= from[0] + from[2]");
  const Outcome part = Sums(toml, replaced(even, "threadIdx.x < left", "threadIdx.x < 4")).run();
  EXPECT_TRUE(part.completed) << format(part.diagnostics[0]);
}

TEST(Launches, TheCheckerHoldsThemToTheirText) {
  const auto problems = [](const std::string& written) {
    const Sums sums(written);
    const Result<lesson::Lesson> lesson = sums.load();
    std::string out;
    for (const Diagnostic& problem : lesson ? check_lesson(*lesson) : lesson.errors()) out += format(problem) + "\n";
    return out;
  };
  EXPECT_EQ(problems(toml), "");
  EXPECT_THAT(problems(replaced(toml, "launch3.global", "launch4.global")),
              HasSubstr("Variant `halving` has no launch 4."));
  EXPECT_THAT(problems(replaced(toml, "[\"pong\", \"out\"]", "[\"pong\", \"oud\"]")), HasSubstr("Did you mean `out`?"));
  EXPECT_THAT(problems(replaced(toml, "[\"pong\", \"out\"]", "[\"out\", \"out\"]")), HasSubstr("takes `out` twice"));
  EXPECT_THAT(problems(replaced(toml, "pow2(k + 1)", "pow2(kk + 1)")), HasSubstr("`kk`"));
  EXPECT_THAT(problems(replaced(toml, "\"halve\"", "\"halv\"")), HasSubstr("halv"));
  EXPECT_THAT(problems(replaced(toml, "log2_ceil(n / 32)\"\nswap", "5000\"\nswap")), HasSubstr("5000 repeats"));
  EXPECT_THAT(problems(replaced(toml, "look = { launch = 2 }", "look = { launch = 4 }")), HasSubstr("no launch 4"));
}

TEST(Launches, AVariantForGpusIsRefusedByTheInterpreter) {
  const Outcome outcome = Sums(replaced(toml, "block = 32", "block = 32\ngpu_only = true")).run();
  EXPECT_FALSE(outcome.completed);
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics[0].code, "gpu.no_interpreter");
}

// Registers limit how many blocks are resident; the interpreter alone does not know the registers.
TEST(Launches, ACooperativeGridMustFitWithItsRegisters) {
  Request request;
  request.source = {"k.cu",
                    R"(
__global__ void many(const volatile float* in, float* out) {
  float held[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) held[i] = in[i];
  float sum = 0;
#pragma unroll
  for (int i = 127; i >= 0; --i) sum = sum * 1.5f + held[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)",
                    {}};
  request.first().kernel = "many";
  request.first().shape.block = {256, 1, 1};
  request.first().shape.cooperative = true;
  request.arguments = {{"f32[128]=iota", "in"}, {"f32[67584]", "out"}};
  // With more than 128 registers per thread, one block of 256 threads fits on a multiprocessor; by threads alone, eight
  // would.
  request.first().shape.grid = {132, 1, 1};
  const Outcome fits = run(request);
  EXPECT_TRUE(fits.completed) << format(fits.diagnostics.at(0));
  request.first().shape.grid = {133, 1, 1};
  const Outcome more = run(request);
  EXPECT_FALSE(more.completed);
  ASSERT_FALSE(more.diagnostics.empty());
  EXPECT_EQ(more.diagnostics[0].code, "launch.cooperative_too_large");
  EXPECT_NE(more.diagnostics[0].message.find("of 133 blocks only 132 fit"), std::string::npos)
      << more.diagnostics[0].message;
  EXPECT_NE(more.diagnostics[0].message.find("registers"), std::string::npos) << more.diagnostics[0].message;
  EXPECT_NE(more.diagnostics[0].cure.find("__launch_bounds__(256, 2)"), std::string::npos) << more.diagnostics[0].cure;
  request.first().shape.cooperative = false;
  EXPECT_TRUE(run(request).completed) << "blocks that need not be there at once may come one after another";
}

// Four blocks with 16 barriers each fit on a multiprocessor, as on an H200; by threads alone, 32 would.
TEST(CooperativeLaunch, MustFitWithItsBarriers) {
  Request request;
  request.source = {"named.cu",
                    "extern \"C\" __global__ void named(int* out, int number) {\n"
                    "  asm volatile(\"bar.sync %0, 64;\" ::\"r\"(number) : \"memory\");\n"
                    "  out[blockIdx.x * 64 + threadIdx.x] = number;\n}\n",
                    {}};
  request.first().kernel = "named";
  request.first().shape.block = {64, 1, 1};
  request.first().shape.cooperative = true;
  request.arguments = {{"i32[65536]", "out"}, {"i32=3", "number"}};
  request.first().shape.grid = {imitated_gpu::multiprocessors * 4, 1, 1};
  const Outcome fits = run(request);
  EXPECT_TRUE(fits.completed) << format(fits.diagnostics.at(0));
  request.first().shape.grid = {imitated_gpu::multiprocessors * 4 + 1, 1, 1};
  const Outcome more = run(request);
  ASSERT_FALSE(more.diagnostics.empty());
  EXPECT_EQ(more.diagnostics[0].code, "launch.cooperative_too_large");
  EXPECT_NE(more.diagnostics[0].message.find("of 529 blocks only 528 fit"), std::string::npos)
      << more.diagnostics[0].message;
  EXPECT_NE(more.diagnostics[0].message.find("each block uses 16 of the 64 barriers"), std::string::npos)
      << more.diagnostics[0].message;
}

// An impossible launch is refused before gigabytes are filled for it. CliBadInput tests this with too little memory.
TEST(CooperativeLaunch, ThatIsTooLargeFillsNoBuffer) {
  Request request;
  request.source = {"one.cu", "extern \"C\" __global__ void one(float* all) { all[threadIdx.x] = 1; }", {}};
  request.first().kernel = "one";
  request.first().shape.block = {256, 1, 1};
  request.first().shape.cooperative = true;
  request.arguments = {{"f32[256]=iota", "all"}};
  request.first().shape.grid = {imitated_gpu::multiprocessors * 8, 1, 1};
  EXPECT_EQ(run(request).arguments.at(0).contents.size(), 1024u);
  request.first().shape.grid = {imitated_gpu::multiprocessors * 8 + 1, 1, 1};
  const Outcome refused = run(request);
  ASSERT_FALSE(refused.diagnostics.empty());
  EXPECT_EQ(refused.diagnostics[0].code, "launch.cooperative_too_large");
  EXPECT_TRUE(refused.arguments.empty());
  EXPECT_TRUE(refused.buffers.empty()) << "nothing ran: there is nothing to sum up";
}

}  // namespace
}  // namespace lanescope::job
