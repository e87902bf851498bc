// The figures of lesson 3, against sums made here.

#include <cmath>
#include <string>

#include "job/host_half.h"
#include "job/shipped_lessons/lesson_run.h"
#include "job/shipped_lessons/lesson_sass.h"
#include "test_paths.h"

namespace lanescope::shuffle_reduce {
namespace {

using nlohmann::json;
using test::elements;
using test::LessonRun;
using test::round_to_half;

test::LessonRun run(const std::string& variant, const lesson::ControlValues& controls = {}) {
  return test::run_variant(test::lesson_in("03_shuffle_reduce"), variant, controls);
}

// A shuffle reduction of 32 values, in the order in which lanes pass them down. A lane without a partner at `offset`
// gets its own value back.
template <typename Add>
std::vector<double> shuffled_down(std::vector<double> lanes, int offset, const Add& add) {
  std::vector<double> next(lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::size_t from = lane + static_cast<std::size_t>(offset);
    next[lane] = add(lanes[lane], lanes[from < lanes.size() ? from : lane]);
  }
  return next;
}

template <typename Add>
double warp_sum(std::vector<double> lanes, const Add& add) {
  for (int offset = 16; offset > 0; offset /= 2) lanes = shuffled_down(lanes, offset, add);
  return lanes[0];
}

// The block sums of a kernel whose threads take every (blocks × block)th element.
template <typename Add>
std::vector<double> block_sums(const std::vector<double>& in, std::size_t blocks, std::size_t block, const Add& add) {
  std::vector<double> sums;
  for (std::size_t b = 0; b < blocks; ++b) {
    std::vector<double> warps(32, 0.0);
    for (std::size_t warp = 0; warp < block / 32; ++warp) {
      std::vector<double> lanes(32, 0.0);
      for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t i = b * block + warp * 32 + lane; i < in.size(); i += blocks * block)
          lanes[lane] = add(lanes[lane], in[i]);
      warps[warp] = warp_sum(lanes, add);
    }
    sums.push_back(warp_sum(warps, add));
  }
  return sums;
}

double add_as_float(double a, double b) {
  return static_cast<double>(static_cast<float>(a + b));
}
double add_as_half(double a, double b) {
  return round_to_half(a + b);
}

TEST(LessonShuffleReduce, AfterEachHalvingEveryLaneHoldsWhatTheArrowsSay) {
  const std::vector<double> rows = elements<float>(run("each_halving").written[1]);
  ASSERT_EQ(rows.size(), 6u * 32);
  std::vector<double> lanes;
  for (int lane = 0; lane < 32; ++lane) lanes.push_back(lane);
  std::size_t row = 0;
  for (int offset = 32; offset > 0; offset /= 2, ++row) {
    if (offset < 32) lanes = shuffled_down(lanes, offset, add_as_float);
    for (std::size_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(rows[32 * row + lane], lanes[lane]) << "row " << row << ", lane " << lane;
  }
  EXPECT_EQ(rows[160], 31 * 32 / 2) << "lane 0 has the sum";
  for (std::size_t lane = 1; lane < 32; ++lane) EXPECT_NE(rows[160 + lane], rows[160]) << "and no other, lane " << lane;
}

TEST(LessonShuffleReduce, AWarpTakesFiveShufflesAndNothingElse) {
  const json totals = run("warp_shuffle").totals;
  EXPECT_EQ(totals["shuffles"], 5 * 16384 / 32);
  EXPECT_EQ(totals["barriers"], 0);
  EXPECT_EQ(totals["shared_load"]["requests"], 0);
  EXPECT_EQ(totals["shared_store"]["requests"], 0);
  EXPECT_EQ(totals["global_store"]["executed_lanes"], 16384 / 32) << "lane 0 of each warp";
}

// Barriers per block of `block` threads: the tree has one per warp, plus one per warp and halving; shuffles have one
// per warp.
TEST(LessonShuffleReduce, BarriersShufflesAndSharedAccessesOfABlock) {
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    const int blocks = 16384 / block, warps = block / 32, halvings = static_cast<int>(std::log2(block));
    int working = 0;  // warps with an adding lane, summed over the halvings
    for (int half = block / 2; half > 0; half /= 2) working += (half + 31) / 32;
    const json tree = run("block_shared", {{"block", block}}).totals;
    EXPECT_EQ(tree["barriers"], blocks * warps * (1 + halvings)) << block;
    EXPECT_EQ(tree["shuffles"], 0);
    EXPECT_EQ(tree["shared_load"]["requests"], blocks * (2 * working + 1)) << block;
    EXPECT_EQ(tree["shared_store"]["requests"], blocks * (warps + working)) << block;
    EXPECT_EQ(tree["shared_load"]["bank_conflicts"], 0);
    EXPECT_EQ(tree["shared_store"]["bank_conflicts"], 0);

    const json shuffles = run("block_shuffle", {{"block", block}}).totals;
    EXPECT_EQ(shuffles["barriers"], blocks * warps) << block;
    EXPECT_EQ(shuffles["shuffles"], blocks * 5 * (warps + 1)) << block;
    EXPECT_EQ(shuffles["shared_load"]["requests"], blocks) << block;
    EXPECT_EQ(shuffles["shared_load"]["executed_lanes"], blocks * warps) << block;
    EXPECT_EQ(shuffles["shared_store"]["requests"], blocks * warps) << block;
    EXPECT_EQ(shuffles["shared_load"]["bank_conflicts"], 0);
  }
}

TEST(LessonShuffleReduce, FourALoadMovesTheSameSectorsInAQuarterOfTheRequests) {
  const json one = run("block_shuffle").totals["global_load"];
  const json four = run("packed").totals["global_load"];
  EXPECT_EQ(one["requests"], 16384 / 32);
  EXPECT_EQ(four["requests"], 16384 / 128);
  EXPECT_EQ(one["sectors"], 16384 * 4 / 32);
  EXPECT_EQ(four["sectors"], one["sectors"]);
  EXPECT_EQ(four["efficiency"], 1.0);
}

// Every variant that leaves block sums, in exactly its order of additions: equal to the last bit.
TEST(LessonShuffleReduce, FloatSumsAreThoseOfTheirOrder) {
  for (const int blocks : {1, 4, 16, 64}) {
    const LessonRun made = run("end_second", {{"blocks", blocks}});
    const std::vector<double> sums =
        block_sums(elements<float>(made.written[0]), static_cast<std::size_t>(blocks), 256, add_as_float);
    EXPECT_EQ(elements<float>(made.written[1]), sums) << blocks << " blocks";
    EXPECT_EQ(elements<float>(made.written[3]), block_sums(sums, 1, 256, add_as_float))
        << blocks << " blocks: the second launch";
  }
}

TEST(LessonShuffleReduce, HalfSumsAreRoundedAtEveryAddition) {
  for (const int blocks : {1, 4, 16, 64}) {
    for (const int block : {32, 256, 1024}) {
      const LessonRun in_half = run("half_half", {{"blocks", blocks}, {"block", block}});
      const std::vector<double> in = test::halves(in_half.written[0]);
      const auto expected = [&](const auto& add) {
        return block_sums(in, static_cast<std::size_t>(blocks), static_cast<std::size_t>(block), add);
      };
      EXPECT_EQ(elements<float>(in_half.written[1]), expected(add_as_half)) << blocks << " blocks of " << block;
      const LessonRun in_float = run("half_float", {{"blocks", blocks}, {"block", block}});
      EXPECT_EQ(elements<float>(in_float.written[1]), expected(add_as_float)) << blocks << " blocks of " << block;
    }
  }
  EXPECT_TRUE(std::isinf(elements<float>(run("half_half", {{"blocks", 1}}).written[1])[0])) << "beyond 65,504";
  for (const char* variant : {"half_float", "half_half"}) {
    const json loads = run(variant).totals["global_load"];
    EXPECT_EQ(loads["sectors"], 2 * loads["requests"].get<int>()) << variant;
  }
}

TEST(LessonShuffleReduce, BothEndingsAreNearTheTrueSum) {
  const LessonRun in_double = run("in_double");
  double exact = 0;
  for (const double value : elements<float>(in_double.written[0])) exact += value;
  EXPECT_NEAR(elements<double>(in_double.written[1])[0], exact, 1e-8);
  const double five_steps = 5 * std::ldexp(1.0, -11);  // of a float near 8,000
  for (const int blocks : {1, 4, 16, 64}) {
    const LessonRun made = run("end_atomic", {{"blocks", blocks}});
    EXPECT_NEAR(elements<float>(made.written[1])[0], exact, five_steps) << blocks << " blocks";
    EXPECT_EQ(made.totals["global_reduction"]["requests"], blocks);
    EXPECT_EQ(made.totals["global_reduction"]["executed_lanes"], blocks);
    EXPECT_NEAR(elements<float>(run("end_second", {{"blocks", blocks}}).written[3])[0], exact, five_steps)
        << blocks << " blocks, a second launch";
  }
}

// PTX: a float atomic in global memory flushes subnormals. One in shared memory keeps them, and so does a plain
// addition.
TEST(LessonShuffleReduce, OnlyGlobalAtomicsLoseSubnormals) {
  const std::vector<double> sums = elements<float>(run("subnormals").written[0]);
  const double kept = 32.0 * static_cast<double>(1e-40f);
  EXPECT_EQ(sums, (std::vector<double>{0, kept, kept}));
}

TEST(LessonShuffleReduce, EveryLegalControlValueHolds) {
  for (const int n : {1024, 3072})
    for (const int block : {32, 1024}) {
      for (const char* variant : {"block_shared", "warp_shuffle", "block_shuffle"})
        run(variant, {{"n", n}, {"block", block}});
      for (const char* variant : {"packed", "half_float", "half_half", "end_atomic", "end_second", "in_double"})
        for (const int blocks : {1, 2, 1056}) run(variant, {{"n", n}, {"block", block}, {"blocks", blocks}});
    }
}

// The text's explanation of the times: a thread waits for one load at a time.
TEST(LessonShuffleReduce, TheLoopsHaveOneLoadEach) {
  NEEDS_SASS();
  const std::string folder = LANESCOPE_SOURCE_DIR "/lessons/03_shuffle_reduce";
  EXPECT_EQ(test::global_loads_in_sass(folder, "end_atomic.cu", "end_atomic"), 1);
  EXPECT_EQ(test::global_loads_in_sass(folder, "packed.cu", "packed"), 1);
  EXPECT_EQ(test::global_loads_in_sass(folder, "half_input.cu", "half_input<float>"), 1);
}

}  // namespace
}  // namespace lanescope::shuffle_reduce
