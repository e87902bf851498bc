#include "job/lesson/recording.h"

#include <gtest/gtest.h>

#include "golden.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

RecordedRun run_with(std::int64_t stride, double microseconds) {
  RecordedRun run;
  run.variant = "stride";
  run.controls = {{"stride", stride}, {"n", 64}};
  run.size = "stride";
  run.source_hash = hash_of("the kernel");
  run.attributes.registers = 12;
  run.checks_hold = true;
  run.timing.emplace();
  run.timing->samples = {microseconds * 1e-6, microseconds * 1.01e-6, microseconds * 0.99e-6};
  run.timing->seconds = metrics::median_interval(run.timing->samples);
  run.counters = {{"dram__bytes_read.sum", 4096}};
  return run;
}

LessonRecording sample() {
  LessonRecording recording;
  recording.lesson = "coalescing";
  recording.date = "2026-01-02";
  recording.device.name = "A GPU";
  recording.device.kernel_driver_version = "580.1";
  recording.compiler = "nvrtc 13.0.88";
  recording.runs = {run_with(8, 5), run_with(1, 2), run_with(4, 3)};
  recording.sass["stride"] = {{0x10, "LDG.E R2, [R2.64]", 7}};
  recording.yardsticks.push_back({"runtime_copy", "cudaMemcpy", "full", {{"n", 7}}, 1024, *run_with(1, 9).timing});
  return recording;
}

TEST(LessonRecording, ComesBackAsItWasSaved) {
  const test::TempFolder folder;
  const std::string path = (folder / "a.json").string();
  ASSERT_TRUE(save_recording(sample(), path).ok());
  const Result<LessonRecording> back = open_recording(path);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->label(), "A GPU, driver 580.1, nvrtc 13.0.88, 2026-01-02");
  ASSERT_EQ(back->runs.size(), 3u);
  EXPECT_EQ(back->runs[0].controls, sample().runs[0].controls);
  EXPECT_NEAR(back->runs[0].timing->seconds.median, 5e-6, 1e-15);
  EXPECT_EQ(back->runs[0].counters.at("dram__bytes_read.sum"), 4096);
  EXPECT_EQ(back->sass.at("stride")[0].line, 7);
  const RecordedYardstick* copy = back->find_yardstick("runtime_copy", {{"n", 7}, {"block", 64}});
  ASSERT_NE(copy, nullptr);
  EXPECT_NEAR(copy->timing.seconds.median, 9e-6, 1e-15);
  EXPECT_EQ(copy->count, 1024u);
  EXPECT_EQ(back->find_yardstick("runtime_copy", {{"n", 8}}), nullptr);
}

TEST(LessonRecording, KeepsTheFloorAndEachStateOfL2) {
  const test::TempFolder folder;
  const std::string path = (folder / "a.json").string();
  LessonRecording recording = sample();
  recording.empty_launch = *run_with(1, 2.832).timing;
  recording.runs[0].timing->cache = gpu::CacheState::flushed;
  recording.runs[1].timing->cache = gpu::CacheState::overwritten;
  recording.runs[2].timing->cache = gpu::CacheState::warm;
  ASSERT_TRUE(save_recording(recording, path).ok());
  const Result<LessonRecording> back = open_recording(path);
  ASSERT_TRUE(back.ok());
  ASSERT_TRUE(back->empty_launch);
  EXPECT_NEAR(back->empty_launch->seconds.median, 2.832e-6, 1e-15);
  EXPECT_EQ(back->runs[0].timing->cache, gpu::CacheState::flushed);
  EXPECT_EQ(back->runs[1].timing->cache, gpu::CacheState::overwritten);
  EXPECT_EQ(back->runs[2].timing->cache, gpu::CacheState::warm);
  recording.empty_launch->samples = {0};
  ASSERT_TRUE(save_recording(recording, path).ok());
  EXPECT_EQ(open_recording(path).errors().front().code, "recording.syntax") << "a floor of nothing";
}

// As an older version of the program wrote it: it emptied L2 by writing, called that "flushed", and did not time an
// empty launch.
TEST(LessonRecording, OfTheFormatBeforeSaysHowL2WasEmptied) {
  const Result<LessonRecording> old =
      open_recording(LANESCOPE_SOURCE_DIR "/tests/unit/job/lesson/recording_format_1.json");
  ASSERT_TRUE(old.ok()) << format(old.errors().front());
  EXPECT_EQ(old->runs.at(0).timing->cache, gpu::CacheState::overwritten);
  EXPECT_EQ(old->runs.at(1).timing->cache, gpu::CacheState::warm);
  EXPECT_NEAR(old->runs.at(0).timing->seconds.median, 4.1e-6, 1e-12);
  EXPECT_FALSE(old->empty_launch);
}

// A median without samples would be a time of 0.
TEST(LessonRecording, WhatWasNeverTimedHasNoTime) {
  const test::TempFolder folder;
  const std::string path = (folder / "a.json").string();
  LessonRecording recording = sample();
  recording.runs[1].timing->samples.clear();
  recording.runs[1].timing->discarded = 16;
  ASSERT_TRUE(save_recording(recording, path).ok());
  const Result<LessonRecording> back = open_recording(path);
  ASSERT_TRUE(back.ok());
  EXPECT_FALSE(back->runs[1].timing);
  EXPECT_EQ(back->sweep("stride", "stride", {{"n", 64}}, "the kernel").size(), 2u);
  recording.runs[0].timing->samples[0] = -5e-6;
  ASSERT_TRUE(save_recording(recording, path).ok());
  EXPECT_EQ(open_recording(path).errors().front().code, "recording.syntax");
}

TEST(LessonRecording, ThoseOfALessonAreFoundWithoutReadingTheOthers) {
  const test::TempFolder folder;
  LessonRecording recording = sample();
  for (const char* const lesson : {"one", "one_more", "two"}) {
    recording.lesson = lesson;
    ASSERT_TRUE(save_recording(recording, (folder / (std::string(lesson) + ".json")).string()).ok());
  }
  const auto damage = [&](const char* name) {
    const std::string path = (folder / name).string();
    std::string text = test::read_file(path);
    text[text.size() / 2] ^= 1;
    test::write_file(path, text);
  };
  damage("one_more.json");
  Diagnostics problems;
  std::vector<LessonRecording> found = open_recordings_of("one", folder.path().string(), problems);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].lesson, "one");
  EXPECT_TRUE(problems.empty());
  // Damage is reported for the lesson's own recording and for one that may belong to any lesson.
  damage("one.json");
  test::write_file((folder / "three.json").string(), "{}");
  found = open_recordings_of("one", folder.path().string(), problems);
  EXPECT_TRUE(found.empty());
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].place.file.find("one.json"), std::string::npos);
  EXPECT_NE(problems[1].place.file.find("three.json"), std::string::npos);
}

TEST(LessonRecording, OtherControlsOrAnEditedKernelHaveNoTime) {
  const LessonRecording recording = sample();
  ASSERT_NE(recording.find("stride", {{"stride", 8}, {"n", 64}}, "the kernel"), nullptr);
  EXPECT_EQ(recording.find("stride", {{"stride", 8}, {"n", 64}}, "the kernel, edited"), nullptr);
  EXPECT_EQ(recording.find("stride", {{"stride", 9}, {"n", 64}}, "the kernel"), nullptr);
  EXPECT_EQ(recording.find("offset", {{"stride", 8}, {"n", 64}}, "the kernel"), nullptr);
}

TEST(LessonRecording, ASweepIsSortedByItsControl) {
  const LessonRecording recording = sample();
  std::vector<std::int64_t> strides;
  for (const RecordedRun* run : recording.sweep("stride", "stride", {{"stride", 1}, {"n", 64}}, "the kernel"))
    strides.push_back(run->controls.at("stride"));
  EXPECT_EQ(strides, (std::vector<std::int64_t>{1, 4, 8}));
  EXPECT_TRUE(recording.sweep("stride", "stride", {{"n", 128}}, "the kernel").empty());
}

TEST(LessonRecording, DamageIsADiagnosticAtEveryLength) {
  const test::TempFolder folder;
  const std::string path = (folder / "a.json").string();
  ASSERT_TRUE(save_recording(sample(), path).ok());
  const std::string text = test::read_file(path);
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    test::write_file(path, text.substr(0, length));
    const auto opened = open_recording(path);
    ASSERT_FALSE(opened.ok()) << length;
    EXPECT_FALSE(opened.errors().front().cure.empty());
  }
  for (std::size_t at = 25; at + 2 < text.size(); at += 5) {
    std::string changed = text;
    changed[at] = changed[at] == '1' ? '2' : '1';  // the damaged number is often still a valid one
    test::write_file(path, changed);
    ASSERT_FALSE(open_recording(path).ok()) << at;
  }
  std::string newer = text;
  newer.replace(newer.find("recording\":2"), 12, "recording\":9");
  test::write_file(path, newer);
  EXPECT_EQ(open_recording(path).errors().front().code, "recording.newer");
  EXPECT_EQ(open_recording((folder / "none.json").string()).errors().front().code, "recording.io");
}

TEST(LessonRecording, AFailedSaveLeavesTheOldFile) {
  const test::TempFolder folder;
  EXPECT_EQ(save_recording(sample(), (folder / "no" / "such" / "a.json").string()).errors().front().code,
            "recording.io");
}

}  // namespace
}  // namespace lanescope::job
