// A recording in parts: what several processes measure is the whole recording, once each, and nothing else.

#include "job/lesson/recording_parts.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "compile/fixture.h"
#include "job/lesson/record_by_array.h"
#include "job/lesson/tells_a_time.h"
#include "lesson/lesson_fixture.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

namespace fs = std::filesystem;
using test::replaced;

class PartsOfARecording : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_SASS();  // a recording has the machine code of its runs
    fs::create_directory(folder_ / "small");
    test::write_small_lesson(folder_ / "small");
    write(replaced(test::small_lesson, "max = 32\nvalue = 8", "max = 4\nvalue = 2"));
    options_.timing.max_samples = 5;
  }
  void write(const std::string& toml) {
    test::write_file(folder_ / "small/lesson.toml", toml);
    Result<lesson::Lesson> loaded = lesson::load((folder_ / "small").string());
    ASSERT_TRUE(loaded.ok()) << format(loaded.errors().front());
    lesson_ = std::move(*loaded);
  }
  Result<RecordingParts> open() const {
    return RecordingParts::open((folder_ / "made.json.parts").string(), lesson_, options_);
  }
  RecordingParts opened() const {
    Result<RecordingParts> parts = open();
    if (!parts) ADD_FAILURE() << format(parts.errors().front());
    return std::move(*parts);
  }
  std::string code_of_open() const {
    const Result<RecordingParts> parts = open();
    return parts ? "" : parts.errors().front().code;
  }
  void send_off(const RecordingParts& parts, int tasks) const {
    ASSERT_TRUE(parts.add_sent_off({"some name", tasks, parts.not_made()}).ok());
  }
  void share(const RecordingParts& parts, int time, int task, test::TellsATime& gpu) const {
    const Result<std::monostate> done = measure_share(parts, lesson_, gpu, options_, time, task);
    EXPECT_TRUE(done.ok()) << (done ? "" : format(done.errors().front()));
  }
  static void expect_same(const LessonRecording& made, const LessonRecording& whole) {
    EXPECT_EQ(made.lesson, whole.lesson);
    EXPECT_EQ(made.device.name, whole.device.name);
    EXPECT_EQ(made.compiler, whole.compiler);
    EXPECT_EQ(made.empty_launch.has_value(), whole.empty_launch.has_value());
    EXPECT_EQ(made.sass.size(), whole.sass.size());
    ASSERT_EQ(made.runs.size(), whole.runs.size());
    for (std::size_t i = 0; i < whole.runs.size(); ++i) {
      EXPECT_EQ(made.runs[i].controls, whole.runs[i].controls) << i;
      EXPECT_EQ(made.runs[i].size, whole.runs[i].size) << i;
      EXPECT_EQ(made.runs[i].source_hash, whole.runs[i].source_hash) << i;
      ASSERT_TRUE(made.runs[i].timing && whole.runs[i].timing) << i;
      EXPECT_DOUBLE_EQ(made.runs[i].timing->seconds.median, whole.runs[i].timing->seconds.median) << i;
    }
  }

  test::TempFolder folder_;
  lesson::Lesson lesson_;
  RecordOptions options_;
};

TEST_F(PartsOfARecording, TheSharesOfThreeTasksAreTheWholeRecording) {
  test::TellsATime alone;
  const Result<LessonRecording> whole = record_lesson(lesson_, alone, options_);
  ASSERT_TRUE(whole.ok());
  const RecordingParts parts = opened();
  EXPECT_EQ(parts.measurements().size(), static_cast<std::size_t>(alone.times));
  send_off(parts, 3);
  test::TellsATime gpus[3];
  for (const int task : {2, 0, 1}) share(parts, 1, task, gpus[task]);
  EXPECT_EQ(gpus[0].times + gpus[1].times + gpus[2].times, alone.times) << "each once";
  EXPECT_LE(gpus[0].times - gpus[2].times, 1) << "even shares";
  const Result<LessonRecording> joined = parts.joined();
  ASSERT_TRUE(joined.ok()) << format(joined.errors().front());
  expect_same(*joined, *whole);
  EXPECT_EQ(joined->date, whole->date);
}

TEST_F(PartsOfARecording, WhatWasMadeIsNotMadeAgain) {
  const RecordingParts first = opened();
  send_off(first, 2);
  test::TellsATime gpu;
  share(first, 1, 0, gpu);
  const int made = gpu.times;
  share(first, 1, 0, gpu);
  EXPECT_EQ(gpu.times, made) << "Slurm started the task again";

  const RecordingParts second = opened();
  ASSERT_EQ(second.not_made().size(), second.measurements().size() - static_cast<std::size_t>(made));
  send_off(second, 1);
  share(second, 1, 1, gpu);
  EXPECT_EQ(gpu.times, made) << "a task of the first array came late: its share was sent off again";
  share(second, 2, 0, gpu);
  EXPECT_EQ(static_cast<std::size_t>(gpu.times), second.measurements().size());
  EXPECT_TRUE(second.not_made().empty());
  second.remove();
  EXPECT_FALSE(fs::exists(second.folder()));
}

TEST_F(PartsOfARecording, OfAnotherPlanAreRefused) {
  (void)opened();
  EXPECT_EQ(code_of_open(), "");
  options_.timing.max_samples = 6;
  EXPECT_EQ(code_of_open(), "recording.other_plan");
  options_.timing.max_samples = 5;
  options_.timing.cache = gpu::CacheState::warm;
  EXPECT_EQ(code_of_open(), "recording.other_plan");
  options_.timing.cache = gpu::CacheState::flushed;
  EXPECT_EQ(code_of_open(), "");
  // Not the kernel, but how it is launched.
  write(replaced(replaced(test::small_lesson, "max = 32\nvalue = 8", "max = 4\nvalue = 2"), "fill = \"iota\"",
                 "fill = \"1\""));
  EXPECT_EQ(code_of_open(), "recording.other_plan");
}

TEST_F(PartsOfARecording, AFolderOfOtherThingsIsLeftAlone) {
  fs::create_directory(folder_ / "made.json.parts");
  test::write_file(folder_ / "made.json.parts/thesis.txt", "years of work");
  EXPECT_EQ(code_of_open(), "recording.io");
  fs::remove(folder_ / "made.json.parts/thesis.txt");
  const RecordingParts parts = opened();
  test::write_file(folder_ / "made.json.parts/thesis.txt", "years of work");
  parts.remove();
  EXPECT_TRUE(fs::exists(folder_ / "made.json.parts/thesis.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "made.json.parts/plan.json"));
}

TEST_F(PartsOfARecording, ADamagedPartIsMadeAgain) {
  const RecordingParts parts = opened();
  send_off(parts, 1);
  test::TellsATime gpu;
  share(parts, 1, 0, gpu);
  const fs::path part = folder_ / "made.json.parts/part-0001.json";
  test::write_file(part, replaced(test::read_file(part), "5004", "4004"));  // 5 µs and four blocks, in nanoseconds
  const Result<LessonRecording> joined = parts.joined();
  ASSERT_FALSE(joined.ok());
  EXPECT_EQ(joined.errors().front().code, "recording.syntax");
  EXPECT_EQ(opened().not_made(), std::vector<std::size_t>{1});
}

TEST_F(PartsOfARecording, OfDifferentGpusAreNotMixed) {
  const RecordingParts parts = opened();
  send_off(parts, 2);
  test::TellsATime one("NVIDIA H100"), other("NVIDIA L40S");
  share(parts, 1, 0, one);
  share(parts, 1, 1, other);
  const Result<LessonRecording> joined = parts.joined();
  ASSERT_FALSE(joined.ok());
  EXPECT_EQ(joined.errors().front().code, "recording.mixed");
  EXPECT_EQ(std::string(joined.errors().front().message),
            "The runs come from machines that differ: NVIDIA H100 and NVIDIA L40S.");
}

TEST(DifferenceOfMachines, NamesWhatDiffers) {
  LessonRecording one, other;
  one.device.kernel_driver_version = "580.1";
  other.device.kernel_driver_version = "575.2";
  EXPECT_EQ(std::string(difference_of_machines(one, other)), "driver 580.1 and driver 575.2");
  other.device.kernel_driver_version = "580.1";
  EXPECT_TRUE(difference_of_machines(one, other).empty());
  one.compiler = "nvrtc 13.0.88";
  EXPECT_TRUE(difference_of_machines(one, other).empty()) << "an empty launch has no compiler";
  other.compiler = "nvrtc 12.9.86";
  EXPECT_EQ(std::string(difference_of_machines(one, other)), "nvrtc 13.0.88 and nvrtc 12.9.86");
  other.compiler = one.compiler;
  other.device.sm_clock_khz = 1;
  EXPECT_FALSE(difference_of_machines(one, other).empty());
}

TEST_F(PartsOfARecording, OfTwoDaysSayBoth) {
  const RecordingParts parts = opened();
  send_off(parts, 1);
  test::TellsATime gpu;
  share(parts, 1, 0, gpu);
  const std::string path = (folder_ / "made.json.parts/part-0002.json").string();
  LessonRecording part = *open_recording(path);
  part.date = "2026-11-26";
  ASSERT_TRUE(save_recording(part, path).ok());
  const Result<LessonRecording> joined = parts.joined();
  ASSERT_TRUE(joined.ok());
  EXPECT_THAT(joined->date, testing::StartsWith("2026-11-26/"));
}

TEST_F(PartsOfARecording, AListThatIsDamagedIsRefused) {
  const RecordingParts parts = opened();
  send_off(parts, 1);
  for (const char* damaged :
       {"", "{", "[]", "null", R"({"name":"a","tasks":0,"measurements":[0]})",
        R"({"name":"a","tasks":1,"measurements":[99999]})", R"({"name":"a","tasks":1,"measurements":[-1]})",
        R"({"name":1,"tasks":1,"measurements":[0]})", R"({"name":"a","tasks":1,"measurements":0})"}) {
    test::write_file(folder_ / "made.json.parts/array-0001.json", damaged);
    const Result<SentOff> jobs = parts.sent_off(1);
    ASSERT_FALSE(jobs.ok()) << damaged;
    EXPECT_EQ(jobs.errors().front().code, "recording.syntax");
    test::write_file(folder_ / "made.json.parts/missed-0001.json", damaged);
    (void)parts.missed();
  }
}

}  // namespace
}  // namespace lanescope::job
