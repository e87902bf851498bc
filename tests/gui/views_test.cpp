// The pictures of whole runs: phases of a grid-wide sync, a running sum; groups of lanes.

#include "gui/views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lesson/lesson.h"

namespace lanescope::gui {
namespace {

job::Outcome outcome_of(const std::string& lesson, const std::string& variant,
                        const lesson::ControlValues& controls = {}) {
  const auto lessons = lesson::load_all(LANESCOPE_SOURCE_DIR "/lessons");
  if (!lessons) return {};
  for (const lesson::Lesson& l : *lessons)
    if (l.id == lesson) {
      auto request = job::from_lesson(l, *l.find_variant(variant), controls);
      request->record.events = true;
      return job::run(*request);
    }
  return {};
}

TEST(PhaseWork, OfAGridSyncIsRoundsWithFewerBlocksAtWork) {
  const job::Outcome outcome = outcome_of("cooperative_groups", "full_grid");
  ASSERT_TRUE(outcome.completed);
  const diagram::PhaseWork work = phase_work(outcome.trace, outcome.request.source.text);
  ASSERT_GE(work.phases.size(), 3u);
  EXPECT_EQ(work.phases[0], "round 1");
  EXPECT_EQ(work.phases[1], "round 2");
  const auto at_work = [&](std::size_t phase) {
    return std::ranges::count_if(work.blocks, [&](const auto& block) {
      return block.work[phase] * 4 > work.blocks[0].work[phase];
    });
  };
  EXPECT_EQ(at_work(0), static_cast<std::ptrdiff_t>(work.blocks.size()));
  EXPECT_LT(at_work(1), static_cast<std::ptrdiff_t>(work.blocks.size()) / 2)
      << "the second round has fewer pieces than blocks";
}

TEST(PhaseWork, IsNothingOfAnOrdinaryLaunch) {
  const job::Outcome outcome = outcome_of("divergence", "reduce_modulo");
  ASSERT_TRUE(outcome.completed);
  EXPECT_TRUE(phase_work(outcome.trace, outcome.request.source.text).blocks.empty());
}

TEST(RunningSum, StopsWhereHalfPrecisionEnds) {
  const job::Outcome outcome = outcome_of("half_atomics", "half_running");
  ASSERT_TRUE(outcome.completed);
  const diagram::RunningSum sum = running_sum(outcome);
  ASSERT_EQ(sum.values.size(), 4096u);
  // Ones: IEEE half counts exactly to 2,048, and 2,048 + 1 rounds back to even.
  EXPECT_EQ(sum.values[2047], 2048);
  EXPECT_EQ(sum.values[4095], 2048);
  EXPECT_EQ(sum.exact[4095], 4096);
  EXPECT_EQ(sum.name, "f16");
  EXPECT_TRUE(running_sum(outcome_of("divergence", "reduce_modulo")).values.empty());
}

TEST(Groups, HoldTheLanesThatTakePart) {
  const auto rows = group_rows(LaneMask::first(20), 8);
  const auto chosen = std::ranges::find(rows, true, &diagram::GroupRow::chosen);
  ASSERT_NE(chosen, rows.end());
  ASSERT_EQ(chosen->groups.size(), 3u) << "the last tile has no lane here";
  EXPECT_EQ(chosen->groups[0].bits, 0xffu);
  EXPECT_EQ(chosen->groups[2].bits, 0xf0000u);
}

}  // namespace
}  // namespace lanescope::gui
