// Right answers from a run, and the misunderstandings behind wrong ones.

#include "job/lesson/questions.h"

#include <gmock/gmock.h>

#include <regex>

#include "job/lesson/lesson_request.h"
#include "lesson/lesson_fixture.h"

namespace lanescope::job {
namespace {

using lesson::Question;

// Appended to the small lesson: a copy with a stride.
constexpr const char* predictions = R"x(
[[prediction]]
id = "sectors"
kind = "number"
ask = "How many sectors?"
answer = "@load.sectors_per_request"
[[prediction.misunderstanding]]
name = "asked, not moved"
when = "answer == 4 && right > 4"
say = "Sectors move whole."
[[prediction.misunderstanding]]
name = "the stride"
when = "answer == stride"
say = "It counts elements."

[[prediction]]
id = "who"
kind = "lanes"
ask = "Who loads?"
answer = "@load[1, 0]"
[[prediction.misunderstanding]]
name = "half of them"
when = "matches(\"first_half\") || answer_lanes * 2 == right_lanes"
say = "All do."

[[prediction]]
id = "fewer"
kind = "choice"
ask = "Which moves less?"
options = [
  { id = "near", say = "near", value = "copy(stride=1).global_load.sectors" },
  { id = "far", say = "far", value = "copy(stride=32).global_load.sectors" },
]
pick = "least"
[[prediction.misunderstanding]]
name = "as many"
when = "far"
say = "No."

[[prediction]]
id = "faster"
kind = "choice"
ask = "Which is faster?"
options = [
  { id = "near", say = "near", value = "copy(stride=1).time" },
  { id = "far", say = "far", value = "copy(stride=32).time" },
]
pick = "least"
)x";

struct Asked {
  test::TempFolder folder;
  lesson::Lesson lesson;
  Outcome outcome;

  explicit Asked(const lesson::ControlValues& controls = {}) {
    test::write_small_lesson(folder.path());
    test::write_file(folder / "lesson.toml", test::small_lesson + predictions);
    Result<lesson::Lesson> loaded = lesson::load(folder.path().string());
    EXPECT_TRUE(loaded.ok()) << (loaded ? "" : format(loaded.errors()[0]));
    if (!loaded) return;
    lesson = std::move(*loaded);
    outcome = run(*from_lesson(lesson, lesson.variants[0], controls), &lesson.variants[0]);
    EXPECT_TRUE(outcome.completed);
  }
  std::optional<Answer> right(std::size_t question, MeasuredSource measured = {}) {
    LessonNumbers numbers(lesson, std::move(measured));
    const auto answer = right_answer(lesson.questions[question], {lesson.variants[0], outcome, numbers});
    EXPECT_TRUE(answer.ok()) << (answer ? "" : format(answer.errors()[0]));
    return answer ? *answer : std::nullopt;
  }
  std::string misunderstood(std::size_t question, const Answer& given) {
    LessonNumbers numbers(lesson);
    const Live live{lesson.variants[0], outcome, numbers};
    const auto found = misunderstanding_of(lesson.questions[question], live, given, *right(question));
    EXPECT_TRUE(found.ok());
    return found.ok() && *found ? (*found)->name.en : "";
  }
};

Answer number(double value) {
  return {Question::Kind::number, value, {}, {}};
}

TEST(Questions, NumbersComeFromTheRunOnScreen) {
  Asked wide, narrow({{"stride", 2}});
  EXPECT_EQ(wide.right(0)->number, 32);
  EXPECT_EQ(narrow.right(0)->number, 8);
  EXPECT_TRUE(is_right(number(32), *wide.right(0)));
  EXPECT_FALSE(is_right(number(31.9), *wide.right(0))) << "whole numbers are exact";
  EXPECT_TRUE(is_right(number(33.3), number(100.0 / 3)));
  EXPECT_FALSE(is_right(number(33.9), number(100.0 / 3)));
  EXPECT_EQ(wide.misunderstood(0, number(4)), "asked, not moved");
  EXPECT_EQ(wide.misunderstood(0, number(8)), "the stride");
  EXPECT_EQ(narrow.misunderstood(0, number(2)), "the stride");
  EXPECT_EQ(wide.misunderstood(0, number(7)), "");
}

TEST(Questions, LanesAreThoseThatExecuted) {
  Asked asked;
  EXPECT_EQ(asked.right(1)->lanes, LaneMask::all());
  EXPECT_EQ(asked.misunderstood(1, {Question::Kind::lanes, 0, LaneMask::first(16), {}}), "half of them");
  EXPECT_EQ(asked.misunderstood(1, {Question::Kind::lanes, 0, LaneMask{0xff00ff00u}, {}}), "half of them")
      << "by their count";
  EXPECT_EQ(asked.misunderstood(1, {Question::Kind::lanes, 0, LaneMask::first(3), {}}), "");
  EXPECT_EQ(to_string(*asked.right(1)), "lanes 0-31 (32)");
}

TEST(Questions, ChoicesCompareVariants) {
  Asked asked;
  EXPECT_THAT(asked.right(2)->options, testing::ElementsAre("near"));
  EXPECT_EQ(asked.misunderstood(2, {Question::Kind::choice, 0, {}, {"far"}}), "as many");
}

// A question with control values that are not on screen is answered by a run with the text on screen.
TEST(Questions, HoldForAnEditedKernelAtOtherValuesToo) {
  Asked asked;
  Request request = *from_lesson(asked.lesson, asked.lesson.variants[0], {});
  request.source.text = test::replaced(request.source.text, "in[i * stride_of]", "in[i + 0 * stride_of]");
  asked.outcome = run(request);
  ASSERT_TRUE(asked.outcome.completed);
  EXPECT_EQ(asked.right(0)->number, 4);
  EXPECT_THAT(asked.right(2)->options, testing::ElementsAre("near", "far")) << "with both strides it reads neighbours";
}

// A clock with these medians (in µs) and intervals of ± 1 %.
MeasuredSource clock_saying(double near, double far) {
  return [=](const lesson::Variant&, const lesson::ControlValues& controls) {
    const double time = (controls.at("stride") == 1 ? near : far) * 1e-6;
    return Measured{{time, time * 0.99, time * 1.01, 100}, "A GPU"};
  };
}

TEST(Questions, AboutTimeAreAskedOfAClockOnly) {
  Asked asked;
  EXPECT_EQ(asked.right(3), std::nullopt) << "nobody measured";
  EXPECT_THAT(asked.right(3, clock_saying(2, 5))->options, testing::ElementsAre("near"));
  EXPECT_THAT(asked.right(3, clock_saying(5, 2))->options, testing::ElementsAre("far"));
  EXPECT_THAT(asked.right(3, clock_saying(5, 5.05))->options, testing::ElementsAre("cannot_tell"))
      << "the intervals overlap";
}

TEST(Questions, WithoutEventsLanesAreNotAsked) {
  Asked asked;
  asked.outcome.first().trace.events.clear();
  EXPECT_EQ(asked.right(1), std::nullopt);
}

TEST(MeasuredNumbers, ShowTheirOriginOrThatNobodyMeasured) {
  Asked asked;
  asked.lesson.variants[0].bytes = {"8 * n", {}};
  std::string markdown = test::small_text;
  markdown.replace(markdown.find("Because."), 8,
                   "It took {{copy.time | us}}, {{copy.time / copy.time_low | 0}}, {{copy.bandwidth | GB/s}}, "
                   "{{copy.registers}} registers, {{copy.occupancy | percent}}.");
  asked.lesson.text["en"] = markdown;
  const Result<lesson::Text> text = lesson::parse_text(asked.lesson, "en");
  ASSERT_TRUE(text.ok()) << format(text.errors()[0]);
  LessonNumbers measured(asked.lesson, clock_saying(2, 5)), not_measured(asked.lesson);
  const lesson::ControlValues controls{{"n", 128}, {"stride", 1}};
  const auto label = [&](const lesson::NumberReference& reference) {
    const auto found = measured.measured(reference, "copy", controls);
    return found ? found->label : "";
  };
  const lesson::Section& section = *text->find("Explain");
  const std::string shown = lesson::render(section, measured.source("copy", controls), controls, label);
  EXPECT_EQ(std::regex_replace(shown, std::regex("[0-9]+ registers"), "N registers"),
            "It took 2 µs¹, 1¹, 0.51 GB/s¹, N registers, 50 %.\n\n\n¹ A GPU\n");
  EXPECT_THAT(lesson::render(section, not_measured.source("copy", controls), controls, {}, "zh-CN"),
              testing::HasSubstr("It took 未测量, 未测量, 未测量"));
  EXPECT_THAT(lesson::render(section, measured.source("copy", controls), controls),
              testing::HasSubstr("It took not measured"))
      << "never a time without its origin";
  markdown.replace(markdown.find("{{copy.time | us}}"), 18, "[[2 = copy.time]]");
  asked.lesson.text["en"] = markdown;
  EXPECT_FALSE(lesson::parse_text(asked.lesson, "en").ok()) << "a time cannot be recomputed";
}

}  // namespace
}  // namespace lanescope::job
