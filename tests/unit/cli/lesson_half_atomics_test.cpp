// The figures of lesson 6, against half precision made of the host's own arithmetic.

#include <algorithm>
#include <map>

#include "cli/host_half.h"
#include "cli/program.h"
#include "compile/compiler.h"
#include "compile/fixture.h"

namespace lanescope {
namespace {

using compile::find_toolchain;
using nlohmann::json;
using test::halves;
using test::round_to_half;

struct Run {
  json document;
  std::vector<std::string> written;
};

Run finished(std::vector<std::string> arguments, const std::vector<int>& buffers) {
  const test::TempFolder folder;
  for (const int buffer : buffers)
    arguments.insert(arguments.end(),
                     {"--write", std::to_string(buffer) + "=" + (folder / std::to_string(buffer)).string()});
  const test::Ran ran = test::lanescope(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
  Run made{ran.json(), {}};
  for (const int buffer : buffers) made.written.push_back(test::read_file(folder / std::to_string(buffer)));
  return made;
}

Run run(const std::string& variant, const std::vector<std::string>& settings = {}, const std::vector<int>& buffers = {1}) {
  std::vector<std::string> arguments{"run", "half_atomics", "--variant", variant, "--check", "--json"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  return finished(std::move(arguments), buffers);
}

std::string set(const char* name, int value) { return std::string(name) + "=" + std::to_string(value); }

// Additions of `value` to a half, one after the other; what is added is itself `each` of them, added up in half.
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
      EXPECT_EQ(halves(run("half_native", {set("n", n), set("each", each)}).written[0])[0], expected) << n << " by " << each;
      const std::vector<double> pair = halves(run("half2_packed", {set("n", n), set("each", each)}).written[0]);
      EXPECT_EQ(pair, (std::vector<double>{expected, expected})) << n << " by " << each << ": the neighbour grows too";
      const std::vector<double> padded = halves(run("half2_padded", {set("n", n), set("each", each)}).written[0]);
      EXPECT_EQ(padded, (std::vector<double>{expected, 0})) << n << " by " << each << ": the neighbour does not";
    }
  EXPECT_EQ(stepwise(1, 4096, 1), 2048);
  EXPECT_EQ(stepwise(1, 4096, 2), 4096);
}

// The source's program: products of 0.1 and 0.1. With two elements a thread 4,096 of them come out nearly right.
TEST(LessonHalfAtomics, TheSourcesOpenQuestion) {
  EXPECT_EQ(hundredth, 0.0099945068359375) << "what lesson.toml fills in";
  for (const int n : {2048, 4096, 8192})
    for (const int each : {1, 2, 4, 8})
      EXPECT_EQ(halves(run("tenths", {set("n", n), set("each", each)}).written[0])[0], stepwise(hundredth, n, each))
          << n << " by " << each;
  EXPECT_EQ(stepwise(hundredth, 2048, 1), 20.28125);
  EXPECT_EQ(stepwise(hundredth, 4096, 1), 32);
  EXPECT_EQ(stepwise(hundredth, 4096, 2), 40.5625);
  EXPECT_NEAR(40.5625, 40.96, 0.01 * 40.96) << "about right";
}

TEST(LessonHalfAtomics, TheRunningSumIsTheHosts) {
  for (const auto& [variant, value] : {std::pair{"half_running", 1.0}, std::pair{"running_tenths", hundredth}}) {
    const std::vector<double> running = halves(run(variant, {"additions=8192"}).written[0]);
    ASSERT_EQ(running.size(), 8192u);
    double sum = 0;
    for (std::size_t k = 0; k < running.size(); ++k) {
      sum = round_to_half(sum + value);
      ASSERT_EQ(running[k], sum) << variant << ", addition " << k + 1;
    }
  }
}

// Each thread keeps what its atomicAdd found. Whatever the order was, the values found and the last one are the first
// one and the values left behind: every addition took a stored half and left the rounded sum.
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
  const test::TempFolder folder;
  const std::string file = (folder / "add.cu").string();
  test::write_file(file, keeps_what_it_found);
  for (int seed = 1; seed <= 12; ++seed)
    for (const char* range : {"-8:8", "0:1", "-2000:2000", "-0.0001:0.0001"}) {
      const std::string fill = "=random:" + std::to_string(seed) + ":" + range;
      const std::string order = "i32[512]=permutation:" + std::to_string(seed);
      const std::string what = "seed " + std::to_string(seed) + ", values " + range;
      const std::string threads = std::to_string(1 + seed % 3);
      const Run one = finished({"trace", file, "--kernel", "add", "--grid", "4", "--block", "128", "--arg", "f16[512]" + fill,
                                "--arg", order, "--arg", "f16[1]=0", "--arg", "f16[512]", "--threads", threads, "--json"},
                               {0, 1, 2, 3});
      const std::vector<double> in = halves(one.written[0]), places = test::elements<std::int32_t>(one.written[1]);
      std::vector<double> added;
      for (const double place : places) added.push_back(in[static_cast<std::size_t>(place)]);
      const std::vector<double> found = halves(one.written[3]);
      if (std::none_of(found.begin(), found.end(), [](double x) { return std::isnan(x); }))
        expect_a_chain(found, added, halves(one.written[2])[0], what);

      const Run two = finished({"trace", file, "--kernel", "add_pair", "--grid", "4", "--block", "128", "--arg",
                                "f16[1024]" + fill, "--arg", order, "--arg", "f16[2]=0", "--arg", "f16[1024]", "--threads",
                                threads, "--json"},
                               {0, 1, 2, 3});
      const std::vector<double> pairs = halves(two.written[0]), old = halves(two.written[3]);
      if (std::any_of(old.begin(), old.end(), [](double x) { return std::isnan(x); })) continue;
      for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
        std::vector<double> half_found, half_added;
        for (std::size_t i = 0; i < 512; ++i) {
          half_found.push_back(old[2 * i + half]);
          half_added.push_back(pairs[2 * static_cast<std::size_t>(places[i]) + half]);
        }
        expect_a_chain(half_found, half_added, halves(two.written[2])[half], what + ", half " + std::to_string(half));
      }
    }
}

TEST(LessonHalfAtomics, LanesPileUpOnFewAddresses) {
  for (const int bins : {1, 2, 4, 8, 16, 32, 64}) {
    const json atomics = run("half_native", {set("bins", bins)}).document["totals"]["global_atomic"];
    EXPECT_EQ(atomics["requests"], 4096 / 32) << bins;
    EXPECT_EQ(atomics["serial_depth"], 4096 / 32 * std::max(1, 32 / bins)) << bins;
    EXPECT_EQ(atomics["sectors"], 4096 / 32 * (bins >= 32 ? 2 : 1)) << bins << ": 32 halves are two sectors";
  }
}

// facts: 512 additions to 64 neighbouring halves are 16 requests in PTX (an H200 makes 152 of them).
TEST(LessonHalfAtomics, FiveHundredAndTwelveAdditionsAreSixteenRequests) {
  for (const char* file : {"half_native", "half2_packed"}) {
    const Run made = finished({"trace", std::string(LANESCOPE_SOURCE_DIR "/lessons/06_half_atomics/") + file + ".cu", "--kernel", file,
                               "--grid", "2", "--block", "256", "--arg", "f16[512]=1", "--arg", "f16[128]=0", "--arg", "i32=512",
                               "--arg", "i32=64", "--json"},
                              {});
    EXPECT_EQ(made.document["totals"]["global_atomic"]["requests"], 16) << file;
  }
}

TEST(LessonHalfAtomics, CuresDoFewerAtomics) {
  for (const int each : {1, 2, 4, 8}) {
    const Run in_float = run("warp_then_float", {set("each", each)});
    const json reductions = in_float.document["totals"]["global_reduction"];
    EXPECT_EQ(reductions["requests"], 4096 / each / 32);
    EXPECT_EQ(reductions["executed_lanes"], 4096 / each / 32) << "one lane each";
    EXPECT_EQ(test::elements<float>(in_float.written[0])[0], 4096);
    const Run in_half = run("block_then_half", {set("each", each)});
    EXPECT_EQ(in_half.document["totals"]["global_atomic"]["executed_lanes"], 4096 / each / 256);
    EXPECT_EQ(halves(in_half.written[0])[0], 4096);
  }
  EXPECT_TRUE(std::isinf(halves(run("block_then_half", {"n=65536"}).written[0])[0])) << "half has a second wall";
  EXPECT_EQ(test::elements<float>(run("warp_then_float", {"n=65536"}).written[0])[0], 65536);
}

// The road each sum must take, from its address and its place alone.
const char* road(int index, int odd, int length) {
  if ((odd + index) % 2 == 0) return index + 1 < length ? "first" : "single";
  return index > 0 ? "second" : "single";
}

int lanes_on_line(const json& document, int line) {
  int lanes = 0;
  for (const json& site : document["sites"])
    if (site["line"] == line && site["kind"] == "memory" && site["requests"] != 0) lanes += site["executed_lanes"].get<int>();
  return lanes;
}

TEST(LessonHalfAtomics, EveryAlignmentAndEdgeOfThePair) {
  const std::string source = test::read_file(LANESCOPE_SOURCE_DIR "/lessons/06_half_atomics/half2_padded.cu");
  std::map<std::string, int> lines;
  for (const char* mark : {"first", "second", "single"})
    lines[mark] = 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find(std::string("// @") + mark + "\n")), '\n'));
  for (const int bins : {1, 2, 4, 8, 64})
    for (const int odd : {0, 1})
      for (const int spare : {0, 1})
        for (const int each : {1, 2}) {
          const Run made = run("half2_padded", {set("bins", bins), set("odd", odd), set("spare", spare), set("each", each)});
          const std::string what = std::to_string(bins) + " sums, odd " + std::to_string(odd) + ", spare " + std::to_string(spare);
          std::map<std::string, int> expected{{"first", 0}, {"second", 0}, {"single", 0}};
          for (int b = 0; b < bins; ++b) expected[road(b, odd, bins + spare)] += 4096 / each / bins;
          for (const auto& [name, line] : lines) EXPECT_EQ(lanes_on_line(made.document, line), expected[name]) << what << ", " << name;
          std::vector<double> sums(static_cast<std::size_t>(odd + bins + spare), 0);
          for (int b = 0; b < bins; ++b) sums[static_cast<std::size_t>(odd + b)] = stepwise(1, 4096 / bins, each);
          EXPECT_EQ(halves(made.written[0]), sums) << what << ": nothing beside the sums is touched";
        }
}

TEST(LessonHalfAtomics, APairAtAnOddAddressIsRefused) {
  const test::Ran ran = test::lanescope({"trace", LANESCOPE_SOURCE_DIR "/lessons/06_half_atomics/half2_packed.cu", "--kernel", "half2_packed",
                                         "--grid", "1", "--block", "32", "--arg", "f16[32]=1", "--arg", "f16[4]+2=0", "--arg", "i32=32",
                                         "--arg", "i32=1"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("half2_packed.cu:16"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("align"), std::string::npos) << ran.err;
}

// What the compiler makes of the two atomics: a loop around compare-and-swap, and one instruction.
TEST(LessonHalfAtomics, TheMachineCodeIsWhatTheTextSays) {
  NEEDS_NVRTC();
  const auto toolchain = compile::find_toolchain();
  if (toolchain->sass_compiler_path.empty() || toolchain->disassembler_path.empty())
    GTEST_SKIP() << "no nvJitLink or no nvdisasm on this machine";
  for (const auto& [kernel, loops] : {std::pair{"half_native", true}, std::pair{"half2_packed", false}}) {
    compile::Options options;
    options.arch = "sm_90";
    options.name_expressions = {kernel};
    const std::string file = std::string(kernel) + ".cu";
    auto ptx = compile::compile({file, test::read_file(LANESCOPE_SOURCE_DIR "/lessons/06_half_atomics/" + file), {}}, options);
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
}  // namespace lanescope
