// Pictures of whole runs of the lessons: phases of a grid-wide sync, a running sum.

#include "job/report/pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "job/lesson/lesson_request.h"
#include "lesson/lesson.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

Outcome outcome_of(const std::string& lesson, const std::string& variant) {
  const auto lessons = lesson::load_all(LANESCOPE_SOURCE_DIR "/lessons");
  if (!lessons) return {};
  for (const lesson::Lesson& l : *lessons)
    if (l.id == lesson) {
      auto request = from_lesson(l, *l.find_variant(variant), {});
      request->record.events = true;
      return run(*request);
    }
  return {};
}

// Every lane holds the same number of matrix elements, each in one place.
void expect_evenly_held(const diagram::HeldMatrix& matrix, const std::string& opcode) {
  ASSERT_EQ(matrix.places.size(), static_cast<std::size_t>(matrix.rows * matrix.columns)) << opcode;
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(std::ranges::count(matrix.places, lane, &diagram::HeldMatrix::Place::lane),
              matrix.rows * matrix.columns / 32)
        << opcode << ", lane " << lane;
}

TEST(HeldMatrices, OfEachShapeAreHeldEvenly) {
  struct Case {
    const char* opcode;
    int m, n, k;
  };
  for (const Case& one : {Case{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16},
                          {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 8},
                          {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8},
                          {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", 16, 8, 32},
                          {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 8, 8, 128},
                          {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4},
                          {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 16, 16, 16},
                          {"wmma.mma.sync.aligned.row.col.m8n32k16.f16.f16", 8, 32, 16}}) {
    const diagram::HeldMatrices held = held_matrices(one.opcode);
    EXPECT_EQ(std::tuple(held.a.rows, held.b.columns, held.a.columns), std::tuple(one.m, one.n, one.k)) << one.opcode;
    for (const diagram::HeldMatrix* matrix : {&held.a, &held.b, &held.c}) expect_evenly_held(*matrix, one.opcode);
  }
}

// "PTX ISA", "Matrix Fragments for mma.m16n8k16 with floating point type": groupID is lane / 4, threadID_in_group is
// lane % 4.
TEST(HeldMatrices, LieWhereTheManualSays) {
  const diagram::HeldMatrices held = held_matrices("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  const auto at = [](const diagram::HeldMatrix& matrix, int row, int column) {
    const auto& place = matrix.places[static_cast<std::size_t>(row * matrix.columns + column)];
    return std::pair(int{place.lane}, int{place.reg});
  };
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4, thread = lane % 4;
    for (int i = 0; i < 8; ++i) {  // a0 … a7, two per register
      const int row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
      EXPECT_EQ(at(held.a, row, thread * 2 + i % 2 + (i >= 4 ? 8 : 0)), std::pair(lane, i / 2));
    }
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(at(held.b, thread * 2 + i % 2 + (i >= 2 ? 8 : 0), group), std::pair(lane, i / 2));
      EXPECT_EQ(at(held.c, i < 2 ? group : group + 8, thread * 2 + i % 2), std::pair(lane, i));
    }
  }
}

TEST(HeldMatrices, OtherInstructionsHaveNone) {
  for (const char* opcode : {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "movmatrix.sync.aligned.m8n8.trans.b16",
                             "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "ld.global.f32", ""})
    EXPECT_TRUE(held_matrices(opcode).a.places.empty()) << opcode;
  EXPECT_NE(diagram::matrices({}, {}).caption, "") << "it says so";
}

TEST(HeldMatrices, AreTheSubjectOfAStepThatMultiplies) {
  const Outcome outcome = outcome_of("matrix_multiply", "tensor");
  ASSERT_TRUE(outcome.completed);
  const trace::Trace& trace = outcome.first().trace;
  const auto multiplies = [&](const trace::WarpEvent& event) {
    return diagram::is_subject("matrices", trace.sites[event.site], event);
  };
  EXPECT_EQ(std::ranges::count_if(trace.warp(0, 0), multiplies), 128 / 16 * 8) << "eight for each 16 of k";
}

TEST(PhaseWork, OfAGridSyncIsRoundsWithFewerBlocksAtWork) {
  const Outcome outcome = outcome_of("cooperative_groups", "full_grid");
  ASSERT_TRUE(outcome.completed);
  const diagram::PhaseWork work = phase_work(outcome.first().trace, outcome.request);
  EXPECT_EQ(work.phases, (std::vector<std::string>{"round 1", "round 2", "round 3", "store"}));
  EXPECT_EQ(work.chinese, (std::vector<std::string>{"轮次 1", "轮次 2", "轮次 3", "写入"}));
  diagram::Options options;
  options.language = diagram::Language::chinese;
  const diagram::Scene scene = diagram::phases(work, options);
  const auto shows = [&](const char* name) {
    return std::ranges::any_of(scene.labels, [&](const diagram::Label& label) { return label.text == name; });
  };
  EXPECT_TRUE(shows("轮次 1"));
  EXPECT_FALSE(shows("round 1"));
  const auto at_work = [&](std::size_t phase) {
    return std::ranges::count_if(work.blocks,
                                 [&](const auto& block) { return phase < block.work.size() && block.work[phase] > 0; });
  };
  EXPECT_EQ(at_work(0), 132);
  EXPECT_EQ(at_work(1), 4) << "the second round has fewer pieces than blocks";
  EXPECT_EQ(at_work(3), 1);
}

TEST(PhaseWork, IsNothingOfAnOrdinaryLaunch) {
  const Outcome outcome = outcome_of("divergence", "reduce_modulo");
  ASSERT_TRUE(outcome.completed);
  EXPECT_TRUE(phase_work(outcome.first().trace, outcome.request).blocks.empty());
}

TEST(RunningSum, StopsWhereHalfPrecisionEnds) {
  const Outcome outcome = outcome_of("half_atomics", "half_running");
  ASSERT_TRUE(outcome.completed);
  const diagram::RunningSum sum = running_sum(outcome);
  ASSERT_EQ(sum.values.size(), 4096u);
  // With ones, an IEEE half counts exactly to 2,048, and 2,048 + 1 rounds back to even.
  EXPECT_EQ(sum.values[2047], 2048);
  EXPECT_EQ(sum.values[4095], 2048);
  EXPECT_EQ(sum.exact[4095], 4096);
  EXPECT_EQ(sum.name, "half") << "as the lesson calls it";
  EXPECT_TRUE(running_sum(outcome_of("divergence", "reduce_modulo")).values.empty());
}

}  // namespace
}  // namespace lanescope::job
