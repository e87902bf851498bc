// What a user's header declares. Faults and races in an inlined function of it: its line is said beside that of the
// call.

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>

#include "compile/compiler.h"
#include "golden.h"
#include "job/run/job.h"
#include "job/run/race_text.h"

namespace lanescope::job {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class InlinedHeader : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
    test::write_file(folder_ / "turn.cuh",
                     "template <int far>\n"
                     "__device__ int turned(int* shared, int value) {\n"
                     "  shared[threadIdx.x] = value;\n"
                     "  return shared[threadIdx.x + far];\n"
                     "}\n");
  }
  Outcome ran(const std::string& call) const {
    Request request;
    request.source = {(folder_ / "k.cu").string(),
                      "#include \"turn.cuh\"\n"
                      "__global__ void k(int* out) {\n"
                      "  __shared__ int shared[64];\n"
                      "  shared[32 + threadIdx.x] = 1;\n"
                      "  out[threadIdx.x] = " +
                          call +
                          ";\n"
                          "}\n",
                      {}};
    request.first().kernel = "k";
    request.first().shape.block = {32, 1, 1};
    request.arguments = {{"i32[32]=0", ""}};
    request.races = true;
    return run(request);
  }
  test::TempFolder folder_;
};

TEST_F(InlinedHeader, AFaultSaysItsLine) {
  const Outcome outcome = ran("turned<1 << 20>(shared, 7)");
  ASSERT_FALSE(outcome.completed);
  const Diagnostic& fault = outcome.diagnostics.back();
  EXPECT_EQ(fault.place.line, 5);
  EXPECT_THAT(std::string(fault.message), EndsWith("turn.cuh, line 4)"));
}

// Both accesses are made by one call, so a barrier at its line would not help.
TEST_F(InlinedHeader, ARaceWithinOneCallIsCuredInTheHeader) {
  const Outcome outcome = ran("turned<1>(shared, 7)");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  ASSERT_FALSE(outcome.first().races.races.empty());
  const RaceText text = race_text(outcome.first().races.races[0], outcome.first().trace, outcome.request);
  EXPECT_THAT(text.first, HasSubstr(", line 5, "));
  EXPECT_THAT(text.first, HasSubstr("turn.cuh line "));
  EXPECT_THAT(text.cure, HasSubstr("between line 3 and line 4 of "));
}

// The functions are inlined into the kernel. A barrier between the lines 2 and 3 of one call would not help: the race
// is between two calls, and the function that makes both is the kernel.
TEST(InlinedFunctions, ARaceOfTwoCallsIsCuredBetweenThem) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  Request request;
  request.source = {"k.cu",
                    "__device__ int shuffle(int* shared, int value, int from) {\n"
                    "  shared[threadIdx.x] = value;\n"
                    "  return shared[from];\n"
                    "}\n"
                    "__device__ int turned(int* shared, int value) {\n"
                    "  shared[threadIdx.x] = value;\n"
                    "  __syncthreads();\n"
                    "  return shared[threadIdx.x ^ 32];\n"
                    "}\n"
                    "__global__ void k(int* out) {\n"
                    "  __shared__ int shared[64];\n"
                    "  int v = turned(shared, threadIdx.x);\n"
                    "  v += 1;\n"
                    "  out[threadIdx.x] = shuffle(shared, v, threadIdx.x);\n"
                    "}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {64, 1, 1};
  request.arguments = {{"i32[64]=0", ""}};
  request.races = true;
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  ASSERT_EQ(outcome.first().races.races.size(), 1u);
  const RaceText text = race_text(outcome.first().races.races[0], outcome.first().trace, outcome.request);
  EXPECT_THAT(text.first, HasSubstr(", line 8"));
  EXPECT_THAT(text.second, HasSubstr(", line 2"));
  EXPECT_THAT(text.cure, HasSubstr("between line 12 and line 14"));
}

// The compiler leaves out what the kernel does not read; another kernel of the file may.
TEST(HeaderVariables, AreKnownAsThoseOfTheSource) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  const test::TempFolder folder;
  std::ofstream(folder / "table.cuh") << "namespace t {\n__constant__ int zero = 0;\n__constant__ int unused;\n"
                                         "__constant__ int add;\n}\n";
  const auto outcome_with = [&](const char* symbol) {
    Request request;
    request.source = {(folder / "k.cu").string(),
                      "#include \"table.cuh\"\n__global__ void k(int* out) { out[0] = t::zero + t::add; }\n",
                      {folder.path().string()}};
    request.first().kernel = "k";
    request.arguments = {{"i32[1]", ""}};
    request.symbols = {{"i32=5", "t::add"}, {"i32=3", symbol}};
    return run(request);
  };
  const Outcome outcome = outcome_with("t::unused");
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  ASSERT_EQ(outcome.diagnostics.size(), 1u) << format(outcome.diagnostics.back());  // `t::zero` has its initialiser
  EXPECT_EQ(outcome.diagnostics[0].code, "argument.unused_variable");
  int made = 0;
  std::memcpy(&made, outcome.arguments[0].contents.data(), sizeof made);
  EXPECT_EQ(made, 5);
  const Outcome wrong = outcome_with("t::unknown");
  ASSERT_FALSE(wrong.completed);
  EXPECT_EQ(wrong.diagnostics.front().code, "argument.no_such_variable");
}

// The second warp has fewer accesses before line 8 than the first has before line 7, and runs ahead.
TEST(InlinedFunctions, ABarrierOfARaceFollowsTheOrderOfTheProgram) {
  if (!compile::find_toolchain().ok()) GTEST_SKIP() << "no compiler";
  Request request;
  request.source = {"k.cu",
                    "__global__ void k(const int* in, int* sums, int* out) {\n"
                    "  __shared__ int total;\n"
                    "  const int t = threadIdx.x;\n"
                    "  if (t == 0) total = in[0];\n"
                    "  __syncthreads();\n"
                    "  if (t < 3) sums[t] = total;\n"
                    "  if (t == 3) sums[3] = in[t] + in[t + 1] + in[t + 2] + total;\n"
                    "  out[t] = sums[3];\n"
                    "}\n",
                    {}};
  request.first().kernel = "k";
  request.first().shape.block = {64, 1, 1};
  request.arguments = {{"i32[64]=iota", ""}, {"i32[64]=0", ""}, {"i32[64]=0", ""}};
  request.races = true;
  const Outcome outcome = run(request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  ASSERT_EQ(outcome.first().races.races.size(), 1u);
  const RaceText text = race_text(outcome.first().races.races[0], outcome.first().trace, outcome.request);
  EXPECT_THAT(text.first, HasSubstr("line 7"));
  EXPECT_THAT(text.cure, HasSubstr("between line 7 and line 8"));
}

}  // namespace
}  // namespace lanescope::job
