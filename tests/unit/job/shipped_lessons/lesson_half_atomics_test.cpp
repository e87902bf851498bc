// The figures of lesson 6, against half precision built from the host's own arithmetic.

#include <algorithm>
#include <map>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "job/host_half.h"
#include "job/lesson/recording.h"
#include "job/shipped_lessons/lesson_run.h"
#include "lesson/text.h"
#include "test_paths.h"

namespace lanescope::half_atomics {
namespace {

using nlohmann::json;
using test::halves;
using test::LessonRun;
using test::round_to_half;

LessonRun run(const std::string& variant, const lesson::ControlValues& controls = {}) {
  return test::run_variant(test::lesson_in("06_half_atomics"), variant, controls);
}

std::string source_of(const std::string& kernel) {
  return test::read_file(LANESCOPE_SOURCE_DIR "/lessons/06_half_atomics/" + kernel + ".cu");
}

std::string text_of(const std::string& file) {
  return test::read_file(LANESCOPE_SOURCE_DIR "/lessons/06_half_atomics/" + file);
}

job::Request request_of(const std::string& kernel, const std::string& source, Dim3 grid, Dim3 block,
                        const std::vector<std::string>& arguments) {
  job::Request request;
  request.source = {kernel + ".cu", source, {}};
  request.first().kernel = kernel;
  request.first().shape.grid = grid;
  request.first().shape.block = block;
  for (const std::string& argument : arguments) request.arguments.push_back({argument, ""});
  return request;
}

// Adds `value` to a half `n` times. First sums `each` values in half precision, then adds that partial sum.
double stepwise(double value, int n, int each) {
  double step = 0, sum = 0;
  for (int k = 0; k < each; ++k) step = round_to_half(step + value);
  for (int k = 0; k < n / each; ++k) sum = round_to_half(sum + step);
  return sum;
}

const double hundredth = round_to_half(round_to_half(0.1) * round_to_half(0.1));

TEST(LessonHalfAtomics, SumsOfOnesStopWhereTheHostsHalfStops) {
  for (const int n : {2048, 4096, 8192, 16384, 65536})
    for (const int each : {1, 2, 4, 8}) {
      const double expected = stepwise(1, n, each);
      EXPECT_EQ(halves(run("half_native", {{"n", n}, {"each", each}}).written[1])[0], expected) << n << " by " << each;
      const std::vector<double> pair = halves(run("half2_packed", {{"n", n}, {"each", each}}).written[1]);
      EXPECT_EQ(pair, (std::vector<double>{expected, expected})) << n << " by " << each << ": the neighbour grows too";
      const std::vector<double> padded = halves(run("half2_padded", {{"n", n}, {"each", each}}).written[1]);
      EXPECT_EQ(padded, (std::vector<double>{expected, 0})) << n << " by " << each << ": the neighbour does not";
    }
  EXPECT_EQ(stepwise(1, 4096, 1), 2048);
  EXPECT_EQ(stepwise(1, 4096, 2), 4096);
}

// The source text's program: products of 0.1 and 0.1. With two elements per thread, 4,096 of them are summed almost
// correctly.
TEST(LessonHalfAtomics, TheSourcesOpenQuestion) {
  EXPECT_EQ(hundredth, 0.0099945068359375) << "what lesson.toml fills in";
  for (const int n : {2048, 4096, 8192})
    for (const int each : {1, 2, 4, 8})
      EXPECT_EQ(halves(run("tenths", {{"n", n}, {"each", each}}).written[1])[0], stepwise(hundredth, n, each))
          << n << " by " << each;
  EXPECT_EQ(stepwise(hundredth, 2048, 1), 20.28125);
  EXPECT_EQ(stepwise(hundredth, 4096, 1), 32);
  EXPECT_EQ(stepwise(hundredth, 4096, 2), 40.5625);
  EXPECT_NEAR(40.5625, 40.96, 0.01 * 40.96) << "about right";
}

TEST(LessonHalfAtomics, TheRunningSumIsTheHosts) {
  for (const auto& [variant, value] : {std::pair{"half_running", 1.0}, std::pair{"running_tenths", hundredth}}) {
    const std::vector<double> running = halves(run(variant, {{"additions", 8192}}).written[1]);
    ASSERT_EQ(running.size(), 8192u);
    double sum = 0;
    for (std::size_t k = 0; k < running.size(); ++k) {
      sum = round_to_half(sum + value);
      ASSERT_EQ(running[k], sum) << variant << ", addition " << k + 1;
    }
  }
}

// Each thread keeps the value that its atomicAdd returned. In any order, the returned values plus the last value equal
// the first value plus the stored sums: every addition read a stored half and left the rounded sum.
constexpr const char* keeps_what_it_found =
    "#include <cuda_fp16.h>\n"
    "__global__ void add(const __half* in, const int* order, __half* sum, __half* found) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  found[i] = atomicAdd(sum, in[order[i]]);\n"
    "}\n"
    "__global__ void add_pair(const __half2* in, const int* order, __half2* sum, __half2* found) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  found[i] = atomicAdd(sum, in[order[i]]);\n"
    "}\n";

void expect_a_chain(std::vector<double> found, const std::vector<double>& added, double last, const std::string& what) {
  std::vector<double> left{0.0};
  for (std::size_t i = 0; i < found.size(); ++i) left.push_back(round_to_half(found[i] + added[i]));
  found.push_back(last);
  std::sort(found.begin(), found.end());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(found, left) << what;
}

TEST(LessonHalfAtomics, EveryStoredSumIsRoundedToNearestEvenInEveryOrder) {
  int chains = 0;
  for (int seed = 1; seed <= 12; ++seed)
    for (const char* range : {"-8:8", "0:1", "-2000:2000", "-0.0001:0.0001"}) {
      const std::string fill = "=random:" + std::to_string(seed) + ":" + range;
      const std::string order = "i32[512]=permutation:" + std::to_string(seed);
      for (const std::size_t width : {1, 2}) {  // halves per atomic
        const std::string many = "f16[" + std::to_string(512 * width) + "]",
                          one = "f16[" + std::to_string(width) + "]=0";
        job::Request request = request_of(width == 1 ? "add" : "add_pair", keeps_what_it_found, {4, 1, 1}, {128, 1, 1},
                                          {many + fill, order, one, many});
        request.threads = 1 + seed % 3;
        request.schedule_seed = static_cast<std::uint32_t>(seed);
        const LessonRun made = test::finished(request);
        const std::vector<double> in = halves(made.written[0]), places = test::elements<std::int32_t>(made.written[1]),
                                  last = halves(made.written[2]), old = halves(made.written[3]);
        if (std::any_of(old.begin(), old.end(), [](double x) { return !std::isfinite(x); })) continue;
        for (std::size_t half = 0; half < width; ++half, ++chains) {
          std::vector<double> found, added;
          for (std::size_t i = 0; i < 512; ++i) {
            found.push_back(old[i * width + half]);
            added.push_back(in[static_cast<std::size_t>(places[i]) * width + half]);
          }
          expect_a_chain(found, added, last[half],
                         "seed " + std::to_string(seed) + ", values " + range + ", half " + std::to_string(half) +
                             " of " + std::to_string(width));
        }
      }
    }
  EXPECT_GT(chains, 100) << "few orders may overflow";
}

TEST(LessonHalfAtomics, LanesPileUpOnFewAddresses) {
  for (const int bins : {1, 2, 4, 8, 16, 32, 64}) {
    const json atomics = run("half_native", {{"bins", bins}}).totals["global_atomic"];
    EXPECT_EQ(atomics["requests"], 4096 / 32) << bins;
    EXPECT_EQ(atomics["serial_depth"], 4096 / 32 * std::max(1, 32 / bins)) << bins;
    EXPECT_EQ(atomics["sectors"], 4096 / 32 * (bins >= 32 ? 2 : 1)) << bins << ": 32 halves are two sectors";
  }
}

// 512 additions to 64 neighbouring halves are 16 requests in PTX (152 on an H200).
TEST(LessonHalfAtomics, FiveHundredAndTwelveAdditionsAreSixteenRequests) {
  for (const char* kernel : {"half_native", "half2_packed"}) {
    const LessonRun made = test::finished(request_of(kernel, source_of(kernel), {2, 1, 1}, {256, 1, 1},
                                                     {"f16[512]=1", "f16[128]=0", "i32=512", "i32=64"}));
    EXPECT_EQ(made.totals["global_atomic"]["requests"], 16) << kernel;
  }
}

TEST(LessonHalfAtomics, CuresDoFewerAtomics) {
  for (const int each : {1, 2, 4, 8}) {
    const LessonRun in_float = run("warp_then_float", {{"each", each}});
    const json reductions = in_float.totals["global_reduction"];
    EXPECT_EQ(reductions["requests"], 4096 / each / 32);
    EXPECT_EQ(reductions["executed_lanes"], 4096 / each / 32) << "one lane each";
    EXPECT_EQ(test::elements<float>(in_float.written[1])[0], 4096);
    const LessonRun in_half = run("block_then_half", {{"each", each}});
    EXPECT_EQ(in_half.totals["global_atomic"]["executed_lanes"], 4096 / each / 256);
    EXPECT_EQ(halves(in_half.written[1])[0], 4096);
  }
  EXPECT_TRUE(std::isinf(halves(run("block_then_half", {{"n", 65536}}).written[1])[0])) << "half has a second wall";
  EXPECT_EQ(test::elements<float>(run("warp_then_float", {{"n", 65536}}).written[1])[0], 65536);
}

// The path that each sum must take, from its address and its position alone.
const char* road(int index, int odd, int length) {
  if ((odd + index) % 2 == 0) return index + 1 < length ? "first" : "single";
  return index > 0 ? "second" : "single";
}

std::uint64_t lanes_on_line(const trace::Trace& trace, std::ptrdiff_t line) {
  std::uint64_t lanes = 0;
  for (const trace::Site& site : trace.sites)
    if (site.line == line && site.kind == trace::EventKind::memory) lanes += trace.totals.sites[site.id].executed_lanes;
  return lanes;
}

TEST(LessonHalfAtomics, EveryAlignmentAndEdgeOfThePair) {
  const std::string source = source_of("half2_padded");
  std::map<std::string, std::ptrdiff_t> lines;
  for (const std::string mark : {"first", "second", "single"}) {
    const auto at = source.begin() + static_cast<std::ptrdiff_t>(source.find("// @" + mark + "\n"));
    lines[mark] = 1 + std::count(source.begin(), at, '\n');
  }
  for (const int bins : {1, 2, 4, 8, 64})
    for (const int odd : {0, 1})
      for (const int spare : {0, 1})
        for (const int each : {1, 2}) {
          const LessonRun made = run("half2_padded", {{"bins", bins}, {"odd", odd}, {"spare", spare}, {"each", each}});
          const std::string what =
              std::to_string(bins) + " sums, odd " + std::to_string(odd) + ", spare " + std::to_string(spare);
          std::map<std::string, std::uint64_t> expected{{"first", 0}, {"second", 0}, {"single", 0}};
          for (int b = 0; b < bins; ++b)
            expected[road(b, odd, bins + spare)] += static_cast<std::uint64_t>(4096 / each / bins);
          for (const auto& [name, line] : lines)
            EXPECT_EQ(lanes_on_line(made.outcome.first().trace, line), expected[name]) << what << ", " << name;
          std::vector<double> sums(static_cast<std::size_t>(odd + bins + spare), 0);
          for (int b = 0; b < bins; ++b) sums[static_cast<std::size_t>(odd + b)] = stepwise(1, 4096 / bins, each);
          EXPECT_EQ(halves(made.written[1]), sums) << what << ": nothing beside the sums is touched";
        }
}

TEST(LessonHalfAtomics, APairAtAnOddAddressIsRefused) {
  const job::Outcome outcome = job::run(request_of("half2_packed", source_of("half2_packed"), {1, 1, 1}, {32, 1, 1},
                                                   {"f16[32]=1", "f16[4]+2=0", "i32=32", "i32=1"}));
  EXPECT_FALSE(outcome.completed);
  ASSERT_FALSE(outcome.diagnostics.empty());
  EXPECT_EQ(outcome.diagnostics[0].code, "memory.misaligned");
  EXPECT_EQ(outcome.diagnostics[0].place.line, 16) << "the line of the atomic";
}

// What the text says about the hardware's counters: retries while the sum grows, none once it no longer changes.
TEST(LessonHalfAtomics, TheRecordedRequestsAreThoseOfTheText) {
  Diagnostics problems;
  const auto recordings = job::open_recordings(LANESCOPE_SOURCE_DIR "/assets/recordings", problems);
  const auto found = std::ranges::find(recordings, "half_atomics", &job::LessonRecording::lesson);
  ASSERT_NE(found, recordings.end());
  const auto requests_a_warp = [&](double elements, const char* variant) {
    for (const job::RecordedRun& run : found->runs)
      if (run.variant == variant && static_cast<double>(run.controls.at("n")) == elements && !run.counters.empty())
        return run.counters.at("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum") / (elements / 32);
    return 0.0;
  };
  EXPECT_NEAR(requests_a_warp(33554432, "half_native") * 33554432 / 32, 6.8e6, 0.05e6);
  EXPECT_NEAR(requests_a_warp(4096, "half_native"), 500, 25);
  EXPECT_EQ(requests_a_warp(4096, "half2_packed"), 1);
  EXPECT_EQ(requests_a_warp(33554432, "half2_packed"), 1);
  const std::string requests = lesson::format_number(requests_a_warp(4096, "half_native") * 4096 / 32);
  for (const char* file : {"text.md", "text.zh-CN.md"})
    EXPECT_NE(text_of(file).find(requests), std::string::npos)
        << file << ": atomic requests of 4,096 elements, " << requests;
}

TEST(LessonHalfAtomics, TheSourcesFiguresStandInTheText) {
  for (const char* file : {"text.md", "text.zh-CN.md"})
    for (const char* figure : {"V100", "182.45", "82.37", "82.36"})
      EXPECT_NE(text_of(file).find(figure), std::string::npos) << file << ' ' << figure;
}

// What the compiler makes of the two atomics: a compare-and-swap loop, and one instruction.
TEST(LessonHalfAtomics, TheMachineCodeIsWhatTheTextSays) {
  NEEDS_SASS();
  for (const auto& [kernel, loops] : {std::pair{"half_native", true}, std::pair{"half2_packed", false}}) {
    compile::Options options;
    options.arch = "sm_90";
    options.name_expressions = {kernel};
    const std::string file = std::string(kernel) + ".cu";
    auto ptx = compile::compile({file, source_of(kernel), {}}, options);
    ASSERT_TRUE(ptx.ok()) << ptx.errors()[0].message;
    EXPECT_NE(ptx->text.find(loops ? "atom.add.noftz.f16 " : "atom.add.noftz.f16x2 "), std::string::npos) << kernel;
    const auto sass = compile::to_sass(ptx->text, ptx->mangled[kernel], "sm_90");
    ASSERT_TRUE(sass.ok()) << sass.errors()[0].message;
    const auto has = [&](const char* opcode) {
      return std::any_of(sass->instructions.begin(), sass->instructions.end(),
                         [&](const auto& instruction) { return instruction.text.starts_with(opcode); });
    };
    EXPECT_EQ(has("ATOM.E.CAS"), loops) << kernel;
    EXPECT_EQ(has("ATOM.E.ADD.F16x2"), !loops) << kernel;
  }
}

}  // namespace
}  // namespace lanescope::half_atomics
