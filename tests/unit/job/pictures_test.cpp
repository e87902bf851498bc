// Pictures of whole runs of the lessons: phases of a grid-wide sync, a running sum.

#include "job/run/pictures.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  // Ones: IEEE half counts exactly to 2,048, and 2,048 + 1 rounds back to even.
  EXPECT_EQ(sum.values[2047], 2048);
  EXPECT_EQ(sum.values[4095], 2048);
  EXPECT_EQ(sum.exact[4095], 4096);
  EXPECT_EQ(sum.name, "half") << "as the lesson calls it";
  EXPECT_TRUE(running_sum(outcome_of("divergence", "reduce_modulo")).values.empty());
}

}  // namespace
}  // namespace lanescope::job
