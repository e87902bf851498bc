// What a recording measures, and in which order. The session runs nothing and returns a time for everything.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "compile/fixture.h"
#include "job/lesson/recording.h"
#include "job/lesson/tells_a_time.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

class RecordLesson : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_SASS();  // a recording has the machine code of its runs
    Result<lesson::Lesson> loaded = lesson::load(LANESCOPE_SOURCE_DIR "/lessons/01_coalescing");
    ASSERT_TRUE(loaded.ok());
    lesson_ = std::move(*loaded);
    std::erase_if(lesson_.variants,
                  [](const lesson::Variant& variant) { return variant.id != "stride" && variant.id != "packed4"; });
    for (lesson::Control& control : lesson_.controls)
      if (control.name == "n") control.value = 1024, control.full_value = full;
  }

  LessonRecording record(RecordOptions options, Diagnostics* missing = nullptr) {
    test::TellsATime gpu;
    options.missing = missing;
    Result<LessonRecording> made = record_lesson(lesson_, gpu, options);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : format(made.errors().front()));
    return made ? std::move(*made) : LessonRecording{};
  }
  // The values that `control` takes while the others are at the measured size.
  std::set<std::int64_t> swept(const LessonRecording& recording, const std::string& variant,
                               const std::string& control) const {
    std::set<std::int64_t> values;
    for (const RecordedRun* run :
         recording.sweep(variant, control, lesson_.defaults(*lesson_.find_variant(variant), true),
                         lesson_.sources.at(lesson_.find_variant(variant)->file)))
      values.insert(run->controls.at(control));
    return values;
  }

  static constexpr std::int64_t full = 4096;
  lesson::Lesson lesson_;
};

TEST_F(RecordLesson, SweepsAtTheMeasuredSizeWhatATimeIsShownOver) {
  const LessonRecording recording = record({});
  std::set<std::int64_t> strides;
  for (std::int64_t stride = 1; stride <= 32; ++stride) strides.insert(stride);
  EXPECT_EQ(swept(recording, "stride", "stride"), strides) << "every value";
  EXPECT_EQ(swept(recording, "stride", "n"), (std::set<std::int64_t>{64, 256, 1024, 4096}))
      << "its size by factors of four";
  EXPECT_EQ(swept(recording, "packed4", "n"), (std::set<std::int64_t>{64, 256, 1024, 4096}));
  EXPECT_EQ(swept(recording, "packed4", "block"), (std::set<std::int64_t>{32, 64, 128, 256, 512, 1024}));
  ASSERT_TRUE(recording.empty_launch);
  EXPECT_DOUBLE_EQ(recording.empty_launch->seconds.median, 2.5e-6) << "without arguments";
  EXPECT_EQ(recording.runs.at(0).timing->cache, gpu::CacheState::flushed);
}

TEST_F(RecordLesson, WithoutTimeForSweepsHoldsBothSizesAndSaysWhatIsMissing) {
  Diagnostics missing;
  RecordOptions options;
  options.sweep_seconds = 0;
  const LessonRecording recording = record(options, &missing);
  ASSERT_EQ(recording.runs.size(), 4u);
  for (const RecordedRun& run : recording.runs) EXPECT_TRUE(run.size == "looking" || run.size == "full") << run.size;
  const auto cut = std::ranges::find(missing, "recording.cut", &Diagnostic::code);
  ASSERT_NE(cut, missing.end());
  EXPECT_EQ(cut->severity, Severity::warning);
}

TEST(TimeControl, IsTheLessonsOwn) {
  const lesson::Library library = lesson::load_library(LANESCOPE_SOURCE_DIR "/lessons");
  const auto of = [&](const char* lesson, const char* variant) {
    const lesson::Lesson& one = *library.find(lesson);
    const lesson::Control* control = one.time_control(*one.find_variant(variant));
    return control == nullptr ? std::string() : control->name;
  };
  EXPECT_EQ(of("coalescing", "stride"), "stride");
  EXPECT_EQ(of("coalescing", "packed4"), "block") << "no size, and not what a slider spreads";
  EXPECT_EQ(of("shuffle_reduce", "packed"), "blocks") << "as the lesson says";
  EXPECT_EQ(of("half_atomics", "half_native"), "bins");
  EXPECT_EQ(of("transpose", "padded"), "n") << "it has no other";
  EXPECT_EQ(of("shuffle_reduce", "each_halving"), "");
}

}  // namespace
}  // namespace lanescope::job
