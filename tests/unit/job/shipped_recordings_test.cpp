// The recordings that are shipped: whole, and of the very kernels that the lessons hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "job/recording.h"

namespace lanescope::job {
namespace {

const std::filesystem::path root = LANESCOPE_SOURCE_DIR;

TEST(ShippedRecordings, HoldEveryVariantOfEveryLessonAtBothSizes) {
  Diagnostics problems;
  const std::vector<LessonRecording> recordings = open_recordings((root / "assets" / "recordings").string(), problems);
  ASSERT_TRUE(problems.empty()) << format(problems.front());
  const lesson::Library library = lesson::load_library((root / "lessons").string());
  for (const lesson::Lesson& lesson : library.lessons) {
    const auto recording = std::find_if(recordings.begin(), recordings.end(), [&](const auto& one) { return one.lesson == lesson.id; });
    ASSERT_NE(recording, recordings.end()) << lesson.id << " has no recording";
    EXPECT_FALSE(recording->device.name.empty() || recording->device.kernel_driver_version.empty() || recording->date.empty());
    for (const lesson::Variant& variant : lesson.variants) {
      if (variant.broken_on_purpose || variant.gpu_only) continue;
      for (const bool full : {false, true}) {
        const RecordedRun* run = recording->find(variant.id, lesson.defaults(variant, full), lesson.sources.at(variant.file));
        ASSERT_NE(run, nullptr) << lesson.id << ", " << variant.id << (full ? ", full size" : ", looking size")
                                << ": none of this text and these sizes; record it again (lanescope record)";
        ASSERT_TRUE(run->timing) << variant.id;
        // A kernel of a tenth of a second was given time for one sample; the others have a narrow interval.
        const bool slow = run->timing->seconds.median > 0.01;
        EXPECT_GE(run->timing->samples.size(), slow ? 1u : 20u) << lesson.id << ", " << variant.id;
        EXPECT_GT(run->timing->seconds.median, 0);
        EXPECT_TRUE(run->checked && run->checks_hold) << lesson.id << ", " << variant.id;
      }
    }
    for (const lesson::Yardstick& yardstick : lesson.yardsticks)
      for (const bool full : {false, true})
        EXPECT_NE(recording->find_yardstick(yardstick.id, lesson.defaults(yardstick.controls, full)), nullptr) << lesson.id << ", " << yardstick.id;
  }
}

}  // namespace
}  // namespace lanescope::job
