// The figures of lesson 5.

#include <cmath>
#include <filesystem>

#include "cli/program.h"
#include "diagram/views.h"
#include "job/lesson/questions.h"
#include "job/shipped_lessons/lesson_run.h"
#include "job/shipped_lessons/lesson_sass.h"
#include "test_paths.h"

namespace lanescope::cooperative_groups {
namespace {

using nlohmann::json;
using test::lanescope;
using test::Ran;
using test::TempFolder;

const char* const folder = LANESCOPE_SOURCE_DIR "/lessons/05_cooperative_groups";

// Settings as on the command line: "tile=8".
json run(const std::string& variant, const std::vector<std::string>& settings = {}) {
  lesson::ControlValues controls;
  for (const std::string& setting : settings)
    controls[setting.substr(0, setting.find('='))] = std::stoll(setting.substr(setting.find('=') + 1));
  return json::parse(
      job::to_json(test::run_variant(test::lesson_in("05_cooperative_groups"), variant, controls).outcome));
}

// A block of 256: one barrier before the halvings and one after each of the eight, for each of eight warps.
TEST(LessonCooperativeGroups, ABlockMeetsAfterEachHalving) {
  const json totals = run("batched_block")["totals"];
  EXPECT_EQ(totals["barriers"], 64 * 8 * (1 + 8));
  EXPECT_EQ(totals["shuffles"], 0);
  EXPECT_EQ(totals["shared_load"]["bank_conflicts"], 0);
  EXPECT_EQ(totals["global_load"]["requests"], 64 * 4096 / 32);
  EXPECT_EQ(totals["global_load"]["sectors"], 64 * 4096 / 8);
}

// log2(tile) shuffles per warp, one barrier, 256 ÷ tile sums left.
TEST(LessonCooperativeGroups, SmallerTilesLeaveMoreToTheLastThread) {
  for (int shuffles = 0; shuffles <= 5; ++shuffles) {
    const int tile = 1 << shuffles;
    const json totals = run("batched_tiles", {"tile=" + std::to_string(tile)})["totals"];
    EXPECT_EQ(totals["shuffles"], 64 * 8 * shuffles) << "tile " << tile;
    EXPECT_EQ(totals["barriers"], 64 * 8) << "tile " << tile;
    EXPECT_EQ(totals["shared_store"]["bytes_requested"], 64 * 4 * 256 / tile) << "a float for each tile";
    EXPECT_EQ(totals["shared_load"]["bytes_requested"], 64 * 4 * 256 / tile) << "each read once, by one thread";
    EXPECT_EQ(totals["shared_store"]["bank_conflicts"], 0);
  }
}

std::vector<std::uint64_t> pieces_of_rounds(std::uint64_t left, std::uint64_t piece) {
  std::vector<std::uint64_t> rounds;
  while (left > 1) rounds.push_back(left = (left + piece - 1) / piece);
  return rounds;
}

// Stores of a piece's sum and the blocks' arrivals at grid.sync(), counted from the run's own sites.
TEST(LessonCooperativeGroups, TheGridWritesOneSumForEachPieceOfEachRound) {
  for (const int piece : {256, 1024, 4096}) {
    const json document = run("full_grid", {"piece=" + std::to_string(piece)});
    const std::vector<std::uint64_t> rounds = pieces_of_rounds(64 * 4096, piece);
    std::uint64_t pieces = 0;
    for (const std::uint64_t round : rounds) pieces += round;
    std::uint64_t written = 0, arrivals = 0;
    for (const json& site : document["sites"]) {
      const std::string op = site["op"];
      if (op == "st.global.f32") written += site["executed_lanes"].get<std::uint64_t>();
      if (op.starts_with("atom.add")) arrivals += site["executed_lanes"].get<std::uint64_t>();
    }
    EXPECT_EQ(written, pieces + 1) << "and the total";
    EXPECT_EQ(arrivals, 132 * rounds.size()) << "every block, also one without a piece";
    EXPECT_TRUE(document["launch"]["cooperative"]);
  }
  EXPECT_EQ(pieces_of_rounds(64 * 4096, 256), (std::vector<std::uint64_t>{1024, 4, 1})) << "the table of the text";
  EXPECT_EQ(pieces_of_rounds(2048 * 262144ull, 262144), (std::vector<std::uint64_t>{2048, 1})) << "the source's size";
}

// The same rounds, one launch each, with as many blocks as pieces.
TEST(LessonCooperativeGroups, LaunchAfterLaunchHasABlockForEachPiece) {
  for (const int piece : {256, 1024, 4096}) {
    const test::LessonRun made =
        test::run_variant(test::lesson_in("05_cooperative_groups"), "full_multi_launch", {{"piece", piece}});
    const std::vector<std::uint64_t> rounds = pieces_of_rounds(64 * 4096, piece);
    const std::uint64_t second = rounds.size() > 1 ? rounds[1] : 1;
    EXPECT_EQ(made.outcome.first().trace.launch.grid.x, rounds[0]);
    ASSERT_EQ(made.outcome.launches.size(), 3u);
    EXPECT_EQ(made.outcome.trace_of(2)->launch.grid.x, second);
    EXPECT_EQ(made.outcome.trace_of(3)->launch.grid.x, 1u);
  }
}

// Blocks × phases: all blocks have pieces in round 1, four in round 2, and one in round 3, which also stores the total.
TEST(LessonCooperativeGroups, LateRoundsLeaveMostBlocksIdle) {
  const TempFolder out;
  const std::string saved = (out / "grid.trace").string();
  ASSERT_EQ(
      lanescope({"run", "cooperative_groups", "--variant", "full_grid", "--save", saved, "--svg", out.path().string()})
          .code,
      0);
  EXPECT_NE(test::read_file(out / "phases.svg").find("132 blocks, 4 phases"), std::string::npos);
  const Result<trace::Trace> trace = trace::open(saved);
  ASSERT_TRUE(trace.ok());
  const diagram::PhaseWork work = diagram::grid_phases(*trace);
  ASSERT_EQ(work.blocks.size(), 132u);
  std::vector<int> working(4);
  for (const diagram::PhaseWork::Block& block : work.blocks)
    for (std::size_t phase = 0; phase < block.work.size(); ++phase) working.at(phase) += block.work[phase] > 0;
  EXPECT_EQ(working, (std::vector<int>{132, 4, 1, 1}));
}

// The question about round two against the blocks that worked in it. With one piece in round one there is no round two.
TEST(LessonCooperativeGroups, TheQuestionOnRoundTwoSaysWhatTheRunDid) {
  const lesson::Lesson& lesson = test::lesson_in("05_cooperative_groups");
  const auto question = std::ranges::find(lesson.questions, "busy_blocks", &lesson::Question::id);
  ASSERT_NE(question, lesson.questions.end());
  for (const lesson::ControlValues& controls : {lesson::ControlValues{{"batches", 4}},
                                                {{"batches", 64}},
                                                {{"batches", 64}, {"piece", 4096}},
                                                {{"batches", 64}, {"piece", 262144}}}) {
    const test::LessonRun made = test::run_variant(lesson, "full_grid", controls);
    const diagram::PhaseWork work = diagram::grid_phases(made.outcome.first().trace);
    ASSERT_EQ(work.blocks.size(), 132u);
    int busy = 0;  // the last phase is the store of the total
    for (const diagram::PhaseWork::Block& block : work.blocks) busy += work.phases.size() > 2 && block.work[1] > 0;
    job::LessonNumbers others(lesson);
    const auto right = job::right_answer(*question, {*lesson.find_variant("full_grid"), made.outcome, others});
    ASSERT_TRUE(right.ok() && right->has_value());
    EXPECT_EQ((*right)->number, busy) << controls.begin()->second;
  }
}

TEST(LessonCooperativeGroups, EveryGridThatFitsGivesTheSameSum) {
  for (const char* blocks : {"blocks=8", "blocks=132", "blocks=264", "blocks=528", "blocks=1056"})
    run("full_grid", {blocks});
}

TEST(LessonCooperativeGroups, AGridThatDoesNotFitIsRefusedWithTheReason) {
  const Ran ran = lanescope({"run", "cooperative_groups", "--variant", "full_grid_too_many"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("of 1057 blocks only 1056 fit"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("132 multiprocessors with 8 blocks of 256 threads"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("cure: "), std::string::npos) << ran.err;
}

// The sliders are independent, so every combination that they allow must run.
TEST(LessonCooperativeGroups, NoSettingOfTheSlidersIsRefused) {
  for (const int block : {64, 128, 256, 512})
    for (const int blocks : {8, 132, 264, 528, 1056}) {
      const json document =
          run("full_grid", {"block=" + std::to_string(block), "blocks=" + std::to_string(blocks), "batches=1"});
      EXPECT_EQ(document["launch"]["grid"][0], std::min(blocks, 132 * (2048 / block))) << block << " " << blocks;
    }
}

// One addition to the counter per warp with a positive element, for any number of them.
TEST(LessonCooperativeGroups, ACoalescedGroupSpeaksOnce) {
  const json document = run("coalesced_threads");
  const json& atomic = document["totals"]["global_atomic"];
  EXPECT_EQ(atomic["requests"], 16384 / 32);
  EXPECT_EQ(atomic["executed_lanes"], atomic["requests"]);
  const double kept = document["buffers"][2]["sum"];
  EXPECT_NEAR(kept, 16384 / 2, 5 * std::sqrt(16384) / 2) << "about half of them are positive";
  EXPECT_EQ(document["totals"]["global_store"]["executed_lanes"], kept);
}

TEST(LessonCooperativeGroups, EveryLegalControlValueHolds) {
  for (const char* block : {"block=64", "block=128", "block=512"}) {
    for (const char* size : {"per_batch=256", "per_batch=768"}) {
      run("batched_block", {block, size, "batches=3"});
      run("batched_packed", {block, size, "batches=3"});
      run("full_grid", {block, size, "batches=3"});
      for (const char* tile : {"tile=1", "tile=8", "tile=32"}) run("batched_tiles", {block, size, "batches=3", tile});
    }
    run("coalesced_threads", {block, "n=1024"});
  }
}

// The same bytes in a quarter of the requests.
TEST(LessonCooperativeGroups, FourAtATimeLoadsAQuarterAsOften) {
  const json one = run("batched_block", {})["totals"]["global_load"];
  const json four = run("batched_packed", {})["totals"]["global_load"];
  EXPECT_EQ(four["requests"], one["requests"].get<int>() / 4);
  EXPECT_EQ(four["sectors"], one["sectors"]);
}

// The group's lanes have their ranks in the picture.
TEST(LessonCooperativeGroups, ACoalescedGroupIsPictured) {
  const TempFolder out;
  ASSERT_EQ(
      lanescope({"run", "cooperative_groups", "--variant", "coalesced_threads", "--svg", out.path().string()}).code, 0);
  int groups = 0;
  for (const auto& entry : std::filesystem::directory_iterator(out.path())) {
    if (!entry.path().string().ends_with("_groups.svg")) continue;
    ++groups;
    EXPECT_NE(test::read_file(entry.path()).find("active together · 1 group"), std::string::npos);
  }
  EXPECT_EQ(groups, 1);
}

// 2048 × 262,144 floats, 256 threads.
TEST(LessonCooperativeGroups, FullSizeIsTheSources) {
  const lesson::Lesson& lesson = test::lesson_in("05_cooperative_groups");
  for (const char* variant : {"batched_block", "batched_tiles", "batched_packed", "full_grid", "full_multi_launch"}) {
    const lesson::ControlValues full = lesson.defaults(*lesson.find_variant(variant), true);
    EXPECT_EQ(full.at("batches"), 2048) << variant;
    EXPECT_EQ(full.at("per_batch"), 262144) << variant;
    EXPECT_EQ(full.at("block"), 256) << variant;
  }
}

TEST(LessonCooperativeGroups, TheSourcesFiguresStandInTheText) {
  for (const char* file : {"/text.md", "/text.zh-CN.md"}) {
    const std::string text = test::read_file(std::string(folder) + file);
    for (const char* figure : {"RTX 3090", "936.1 GB/s", "882.6 GB/s", "882.1 GB/s", "866.7 GB/s"})
      EXPECT_NE(text.find(figure), std::string::npos) << file << ' ' << figure;
  }
}

// The text's explanation of the times: four loads in flight in one loop, one in the other.
TEST(LessonCooperativeGroups, TheLoopOfLaunchesIsUnrolledAndThatOfGridIsNot) {
  NEEDS_SASS();
  EXPECT_EQ(test::global_loads_in_sass(folder, "full_multi_launch.cu", "sum_pieces"), 4 + 1)
      << "four a trip, and one for what is left over";
  EXPECT_EQ(test::global_loads_in_sass(folder, "full_grid.cu", "full_grid"), 1 + 1)
      << "one a trip, and the total at the end";
}

}  // namespace
}  // namespace lanescope::cooperative_groups
