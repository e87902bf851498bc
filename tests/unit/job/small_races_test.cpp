// Races of launches that nobody asked to check: all of a small one, the first blocks of a large one.

#include <algorithm>

#include <gmock/gmock.h>

#include "job/run/job.h"

namespace lanescope::job {
namespace {

// Kernel `k` of the source, checked for races if the launch is small.
Request checked(const std::string& source, std::uint32_t grid, std::uint32_t block,
                std::vector<RequestedArgument> arguments) {
  Request request;
  request.source = {"a.cu", source, {}};
  request.first().kernel = "k";
  request.first().shape.grid = {grid, 1, 1};
  request.first().shape.block = {block, 1, 1};
  request.arguments = std::move(arguments);
  request.races_if_small = true;
  return request;
}

std::string lines_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) text += format(one) + "\n";
  return text;
}

Request racing(std::uint32_t block) {
  return checked("__global__ void k(int* sum) { *sum = *sum + 1; }\n", 1, block, {{"i32[1]=0", ""}});
}

// An atomic may come before the zero that another warp writes. Without the race it would not read what nobody wrote.
TEST(SmallRaces, ARaceIsNotCalledHarmlessBesideIt) {
  const Outcome outcome =
      run(checked("__global__ void k(const unsigned char* data, unsigned* bins) {\n"
                  "  __shared__ unsigned local[256];\n"
                  "  local[threadIdx.x] = 0;\n"
                  "  atomicAdd(&local[data[threadIdx.x]], 1u);\n"
                  "  __syncthreads();\n"
                  "  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);\n"
                  "}\n",
                  1, 256, {{"u8[256]=random:1", ""}, {"u32[256]=0", ""}}));
  ASSERT_TRUE(outcome.completed);
  ASSERT_TRUE(outcome.race_found());
  const Diagnostic& race = outcome.diagnostics.front();
  EXPECT_EQ(race.code, "race.found");
  const std::string said = race.message;
  EXPECT_THAT(said, testing::MatchesRegex("An unordered atomic and plain access to shared memory. Thread .* of block 0 "
                                          "writes, line 3: `local.threadIdx.x. = 0;` Thread .* of block 0 changes it "
                                          "atomically, line 4: `atomicAdd.*;`"));
  for (const Diagnostic& one : outcome.diagnostics) EXPECT_NE(one.code, "memory.unwritten_shared");
}

TEST(SmallRaces, AVolatileAccessIsNotCalledAtomic) {
  const Outcome outcome =
      run(checked("__global__ void k(int* flag, int* out) {\n"
                  "  if (threadIdx.x == 0) *flag = 1;\n"
                  "  else *out = *(volatile int*)flag;\n"
                  "}\n",
                  1, 64, {{"i32[1]=0", ""}, {"i32[1]=0", ""}}));
  std::string said;
  for (const Diagnostic& one : outcome.diagnostics) said += std::string(one.message) + "\n";
  EXPECT_THAT(said, testing::HasSubstr("An unordered volatile or ordered access and plain access to global memory."));
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("unordered atomic")));
}

// A race in global memory has nothing to do with what shared memory held.
TEST(SmallRaces, OneElsewhereLeavesTheNoteOnUnwrittenSharedMemory) {
  const Outcome outcome =
      run(checked("__global__ void k(int* out) {\n"
                  "  __shared__ int never[32];\n"
                  "  if (never[threadIdx.x % 32] == 12345) __nanosleep(1);\n"
                  "  out[0] = threadIdx.x;\n"
                  "}\n",
                  1, 64, {{"i32[1]=0", ""}}));
  ASSERT_TRUE(outcome.completed) << lines_of(outcome.diagnostics);
  ASSERT_TRUE(outcome.race_found());
  EXPECT_TRUE(std::ranges::any_of(outcome.diagnostics,
                                  [](const Diagnostic& one) { return one.code == "memory.unwritten_shared"; }));
}

TEST(SmallRaces, AreLookedForUnasked) {
  const Outcome outcome = run(racing(64));
  ASSERT_TRUE(outcome.completed);
  EXPECT_TRUE(outcome.race_found());
  ASSERT_FALSE(outcome.diagnostics.empty());
  EXPECT_EQ(outcome.diagnostics.front().code, "race.found");
  EXPECT_EQ(outcome.diagnostics.front().place.line, 1);
  Request plain = racing(64);
  plain.races_if_small = false;
  EXPECT_TRUE(run(plain).diagnostics.empty());
  const Outcome alone = run(racing(1));
  EXPECT_TRUE(alone.first().races.looked);
  EXPECT_TRUE(alone.diagnostics.empty()) << lines_of(alone.diagnostics);
}

// Each thread reads `n` of the 1,024 elements from `first` on and writes one of the elements from `store` on.
Request large(const std::string& first, const std::string& store) {
  return checked("__global__ void k(int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) s += a[" + first +
                     " + (i + threadIdx.x) % 1024]; a[threadIdx.x + " + store + "] = s; }\n",
                 4, 1024, {{"i32[8192]=1", ""}, {"i32=500", ""}});
}

TEST(SmallRaces, OfALargeLaunchSayWhichBlocksWereChecked) {
  const Outcome outcome = run(large("0", "1024 + blockIdx.x * 1024"));
  ASSERT_TRUE(outcome.completed) << lines_of(outcome.diagnostics);
  EXPECT_FALSE(outcome.first().races.looked);
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics.front().code, "race.not_looked_for");
  EXPECT_EQ(outcome.diagnostics.front().severity, Severity::note);
  EXPECT_EQ(outcome.diagnostics.front().message,
            "Only the first two blocks were checked for races: with 2,052,096 memory accesses, the others are not "
            "checked by default.");
}

// Threads of a block write what others of it read: each block shows this.
TEST(SmallRaces, WithinABlockOfALargeLaunchAreFound) {
  const Outcome outcome = run(large("blockIdx.x * 1024", "blockIdx.x * 1024"));
  ASSERT_TRUE(outcome.completed) << lines_of(outcome.diagnostics);
  EXPECT_TRUE(outcome.race_found());
  EXPECT_FALSE(outcome.first().races.complete());
  ASSERT_EQ(outcome.diagnostics.size(), 2u) << lines_of(outcome.diagnostics);
  EXPECT_EQ(outcome.diagnostics[0].code, "race.found");
  EXPECT_EQ(outcome.diagnostics[1].code, "race.not_looked_for");
}

// 163,840 threads change and read one word: 13 billion comparisons, which took a minute and more.
TEST(SmallRaces, ALaunchWhoseCheckWouldTakeLongIsCheckedInPart) {
  const Outcome outcome =
      run(checked("__global__ void k(int* sum, int* seen) {\n  atomicAdd(sum, 10);\n  __syncthreads();\n"
                  "  seen[blockIdx.x * blockDim.x + threadIdx.x] = *sum;\n}\n",
                  160, 1024, {{"i32[1]=0", ""}, {"i32[163840]", ""}}));
  ASSERT_TRUE(outcome.completed) << lines_of(outcome.diagnostics);
  EXPECT_TRUE(outcome.race_found());
  EXPECT_TRUE(outcome.first().races.stopped);
  ASSERT_EQ(outcome.diagnostics.size(), 2u) << lines_of(outcome.diagnostics);
  EXPECT_EQ(outcome.diagnostics[0].code, "race.found");
  EXPECT_EQ(outcome.diagnostics[1].code, "race.not_looked_for");
  EXPECT_LE(outcome.first().races.effort(), 25'000'000u);
}

}  // namespace
}  // namespace lanescope::job
