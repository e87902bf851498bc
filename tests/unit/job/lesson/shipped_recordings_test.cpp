// The shipped recordings are complete and belong to the lessons' current kernels.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "core/architecture.h"
#include "golden.h"
#include "job/lesson/lesson_request.h"
#include "job/lesson/measured.h"
#include "job/lesson/recording.h"
#include "job/sass/sass_code.h"
#include "job/witness/verify.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

const std::filesystem::path root = LANESCOPE_SOURCE_DIR;

TEST(ShippedRecordings, HoldEveryVariantOfEveryLessonAtBothSizes) {
  Diagnostics problems;
  const std::vector<LessonRecording> recordings = open_recordings((root / "assets" / "recordings").string(), problems);
  ASSERT_TRUE(problems.empty()) << format(problems.front());
  const lesson::Library library = lesson::load_library((root / "lessons").string());
  for (const lesson::Lesson& lesson : library.lessons) {
    const auto recording =
        std::find_if(recordings.begin(), recordings.end(), [&](const auto& one) { return one.lesson == lesson.id; });
    ASSERT_NE(recording, recordings.end()) << lesson.id << " has no recording";
    const gpu::Device& device = recording->device;
    EXPECT_EQ(static_cast<std::uint32_t>(device.multiprocessors), imitated_gpu::multiprocessors)
        << "the interpreter imitates the GPU that they are of";
    EXPECT_EQ(static_cast<std::uint32_t>(device.multiprocessors * device.max_threads_per_multiprocessor),
              imitated_gpu::resident_threads);
    EXPECT_FALSE(recording->device.name.empty() || recording->device.kernel_driver_version.empty() ||
                 recording->date.empty());
    for (const lesson::Variant& variant : lesson.variants) {
      if (variant.broken_on_purpose || variant.gpu_only) continue;
      for (const bool full : {false, true}) {
        const RecordedRun* run =
            recording->find(variant.id, lesson.defaults(variant, full), lesson.sources.at(variant.file));
        ASSERT_NE(run, nullptr) << lesson.id << ", " << variant.id << (full ? ", full size" : ", looking size")
                                << ": none of this text and these sizes; record it again (lanescope record)";
        ASSERT_TRUE(run->timing) << variant.id;
        // A kernel of a tenth of a second had time for only one sample; the others have a narrow interval.
        const bool slow = run->timing->seconds.median > 0.01;
        EXPECT_GE(run->timing->samples.size(), slow ? 1u : 20u) << lesson.id << ", " << variant.id;
        EXPECT_GT(run->timing->seconds.median, 0);
        EXPECT_TRUE(run->checked && run->checks_hold) << lesson.id << ", " << variant.id;
      }
    }
    for (const lesson::Yardstick& yardstick : lesson.yardsticks)
      for (const bool full : {false, true})
        EXPECT_NE(recording->find_yardstick(yardstick.id, lesson.defaults(yardstick.controls, full)), nullptr)
            << lesson.id << ", " << yardstick.id;
  }
}

// Reading a file and writing it again gives the same bytes.
TEST(ShippedRecordings, AreWrittenAsTheyWereRead) {
  const test::TempFolder folder;
  const std::string again = (folder / "again.json").string();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/assets/recordings")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path());
    const Result<LessonRecording> recording = open_recording(entry.path().string());
    ASSERT_TRUE(recording.ok());
    if (recording->format != recording_format) continue;
    ASSERT_TRUE(save_recording(*recording, again).ok());
    EXPECT_TRUE(test::read_file(again) == test::read_file(entry.path())) << "differs";
    ++files;
  }
  EXPECT_GE(files, 6);
}

// "stride(n=4194304).time" in a text, a check, a question or a choice; a check of a time that is not there would hold.
TEST(ShippedRecordings, HoldEveryTimeThatALessonQuotes) {
  const lesson::Library library = lesson::load_library((root / "lessons").string());
  const std::regex quote(R"((\w+)(?:\(([^()]*)\))?\.(?:time|time_low|time_high|bandwidth)\b)"),
      setting(R"((\w+)\s*=\s*(\d+))");
  int quoted = 0;
  for (const lesson::Lesson& lesson : library.lessons) {
    Diagnostics problems;
    const MeasuredSource measured =
        measured_in(lesson, open_recordings_of(lesson.id, (root / "assets" / "recordings").string(), problems));
    const std::string text =
        lesson.text.at("en") + test::read_file(std::filesystem::path(lesson.folder) / "lesson.toml");
    for (std::sregex_iterator one(text.begin(), text.end(), quote), end; one != end; ++one) {
      const lesson::Variant* variant = lesson.find_variant((*one)[1]);
      const lesson::Yardstick* yardstick = lesson.find_yardstick((*one)[1]);
      if (!variant && !yardstick) continue;
      lesson::Variant asked = variant ? *variant : lesson::Variant{};
      asked.id = (*one)[1];
      lesson::ControlValues values = lesson.defaults(variant ? variant->controls : yardstick->controls);
      const std::string settings = (*one)[2];
      for (std::sregex_iterator set(settings.begin(), settings.end(), setting); set != end; ++set)
        values[(*set)[1]] = std::stoll((*set)[2]);
      EXPECT_TRUE(measured(asked, values)) << lesson.id << ": " << one->str();
      ++quoted;
    }
  }
  EXPECT_GT(quoted, 80);
}

class ShippedCounters : public testing::TestWithParam<std::string> {};

// The hardware's counts of that time equal the interpreter's of today, or the machine code explains the difference.
TEST_P(ShippedCounters, AreTheInterpretersNumbersOrExplained) {
  Diagnostics problems;
  const std::vector<LessonRecording> recordings = open_recordings((root / "assets" / "recordings").string(), problems);
  const lesson::Library library = lesson::load_library((root / "lessons").string());
  const lesson::Lesson& lesson = *library.find(GetParam());
  const LessonRecording& recording = *std::ranges::find(recordings, lesson.id, &LessonRecording::lesson);
  int numbers = 0, explained = 0;
  for (const RecordedRun& recorded : recording.runs) {
    if (recorded.size != "looking" || recorded.counters.empty()) continue;
    Result<Request> request = from_lesson(lesson, *lesson.find_variant(recorded.variant), recorded.controls);
    ASSERT_TRUE(request.ok());
    request->record.blocks = {};
    const Outcome outcome = run(*request);
    ASSERT_TRUE(outcome.completed) << recorded.variant;
    for (const AgreementRow& row :
         agree_with_counters(outcome.first().trace, recorded.counters, recording.machine_code(recorded.variant))) {
      ++numbers;
      explained += row.agreed == Agreed::explained;
      EXPECT_TRUE(row.agreed == Agreed::equal || row.agreed == Agreed::explained)
          << recorded.variant << ", " << row.number << ": " << *row.interpreted << " interpreted, " << *row.counted
          << " counted";
      EXPECT_EQ(row.evidence.empty(), row.agreed == Agreed::equal) << recorded.variant << ", " << row.number;
      EXPECT_FALSE(row.recorded) << "nobody recorded the accesses";
    }
  }
  EXPECT_GE(numbers, 4);
  // Half atomics loop in machine code, a grid-wide sync polls, and an atomic's value may decide where to store. Nothing
  // else may differ.
  if (lesson.id != "half_atomics" && lesson.id != "cooperative_groups") {
    EXPECT_EQ(explained, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Lessons, ShippedCounters,
                         testing::Values("coalescing", "divergence", "shuffle_reduce", "shared_memory_copy",
                                         "cooperative_groups", "half_atomics", "transpose"),
                         [](const auto& one) { return one.param; });

TEST(ShippedCountersText, ACountThatIsAnotherIsNotCalledEqual) {
  trace::Trace trace;
  trace.totals.of(trace::MemoryClass::global_load).requests = 8;
  const auto rows = agree_with_counters(trace, {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 9.0}}, {});
  ASSERT_EQ(rows.size(), 1u) << "what nobody counted is left out";
  EXPECT_EQ(rows.front().agreed, Agreed::unexplained);
  EXPECT_EQ(rows.front().counted, 9u);
}

TEST(ShippedCountersText, MachineCodeComesApartIntoPredicateAndInstruction) {
  LessonRecording recording;
  recording.sass["v"] = {{16, "@!P1 LDS R8, [R4]", 15}, {32, "EXIT", 0}};
  const compile::Sass code = recording.machine_code("v");
  ASSERT_EQ(code.instructions.size(), 2u);
  EXPECT_EQ(code.instructions[0].predicate, "@!P1");
  EXPECT_EQ(access_of(compile::parse_sass(code.instructions[0].text)).kind, SassAccess::Kind::load);
  EXPECT_EQ(code.instructions[1].text, "EXIT");
  EXPECT_TRUE(recording.machine_code("another").instructions.empty());
}

}  // namespace
}  // namespace lanescope::job
