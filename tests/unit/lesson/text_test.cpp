#include "lesson/text.h"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "lesson/lesson_file.h"
#include "lesson/lesson_fixture.h"

namespace lanescope::lesson {
namespace {

using test::replaced;
using test::small_text;

Lesson lesson_with(const std::string& text) {
  Lesson lesson = parse_lesson_file(test::small_lesson, "lesson.toml").value();
  lesson.text["en"] = text;
  lesson.text_files["en"] = "text.md";
  lesson.sources["copy.cu"] = test::small_kernel;
  return lesson;
}

NumberSource known(double value) {
  return [value](const NumberReference&) { return value; };
}

TEST(LessonText, HasItsSixSections) {
  const Result<Text> text = parse_text(lesson_with(small_text), "en");
  ASSERT_TRUE(text.ok()) << format(text.errors()[0]);
  ASSERT_EQ(text->sections.size(), 6u);
  EXPECT_EQ(render(*text->find("Read"), known(0), {}), "A warp has 32 lanes.\n");
  EXPECT_EQ(text->find("Nothing"), nullptr);
}

TEST(LessonText, ShowsNumbersOfTheRunAndStatedOnesAsWritten) {
  const Text text = parse_text(lesson_with(small_text), "en").value();
  EXPECT_EQ(render(*text.find("See"), known(1234), {}), "It moved 1,234 sectors; one element apart 4.\n\n");
}

TEST(LessonText, ShowsAnEllipsisForNumbersNotYetKnown) {
  const Text text = parse_text(lesson_with(small_text), "en").value();
  const NumberSource nothing = [](const NumberReference&) { return std::optional<double>(); };
  EXPECT_THAT(render(*text.find("See"), nothing, {}), testing::StartsWith("It moved … sectors"));
}

TEST(LessonText, UsesTheControlsOnScreen) {
  const std::string with_controls = replaced(small_text, "Because.", "Stride {{stride}} makes {{4 * stride}}.");
  const Text text = parse_text(lesson_with(with_controls), "en").value();
  EXPECT_EQ(render(*text.find("Explain"), known(0), {{"stride", 8}}), "Stride 8 makes 32.\n");
}

TEST(LessonText, StatesElementsAfterARun) {
  const std::string quoting =
      replaced(small_text, "Because.", "It holds [[7 = copy.after.out[0]]], here {{copy.after.out[0]}}.");
  const Text text = parse_text(lesson_with(quoting), "en").value();
  EXPECT_EQ(render(*text.find("Explain"), known(7), {}), "It holds 7, here 7.\n");
  EXPECT_TRUE(agrees(text.find("Explain")->pieces[1], 7));
  const auto unknown = parse_text(lesson_with(replaced(small_text, "Because.", "{{copy.after.otu[0]}}")), "en");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.errors()[0].code, "lesson.unknown_name");
}

TEST(LessonText, LeavesFencedCodeAlone) {
  const std::string fenced = replaced(small_text, "Because.", "```\nint a[1][1] = {{1}}; // [[x]]\n# no heading\n```");
  const Text text = parse_text(lesson_with(fenced), "en").value();
  EXPECT_EQ(render(*text.find("Explain"), known(0), {}), "```\nint a[1][1] = {{1}}; // [[x]]\n# no heading\n```\n");
}

TEST(LessonText, ListsEachNumberOnce) {
  const std::string twice =
      replaced(small_text, "Because.", "{{copy.global_load.sectors}} {{copy . global_load . sectors}}");
  const Text text = parse_text(lesson_with(twice), "en").value();
  std::vector<std::string> names;
  for (const NumberReference& reference : references(text)) names.push_back(reference.text());
  EXPECT_THAT(names, testing::ElementsAre("copy.global_load.sectors", "copy(stride=1).global_load.sectors_per_request",
                                          "copy@load.sectors_per_request"));
}

TEST(LessonText, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, std::string> cases[] = {
      {"no section", "just text\n"},
      {"a section out of order", replaced(small_text, "# Predict", "# Run")},
      {"a section missing", replaced(small_text, "# Try\nChange it.\n", "")},
      {"a placeholder left open", replaced(small_text, "| 0}}", "| 0")},
      {"an unknown variant", replaced(small_text, "{{copy.", "{{cpy.")},
      {"an unknown control", replaced(small_text, "stride=1", "strid=1")},
      {"a control out of range", replaced(small_text, "stride=1", "stride=40")},
      {"an unknown mark", replaced(small_text, "@load", "@laod")},
      {"an unknown format", replaced(small_text, "| 0}}", "| byte}}")},
      {"a stated number that is none", replaced(small_text, "[[4 =", "[[four =")},
      {"a check that compares nothing", replaced(small_text, " >= 4 -->", " -->")},
      {"an empty placeholder", replaced(small_text, "Because.", "{{ }}")},
      {"a comment left open", replaced(small_text, "Because.", "<!-- never closed")},
  };
  std::string report;
  for (const auto& [name, text] : cases) {
    const Result<Text> parsed = parse_text(lesson_with(text), "en");
    EXPECT_FALSE(parsed.ok()) << name;
    report += fmt::format("## {}\n", name);
    if (!parsed)
      for (const Diagnostic& error : parsed.errors()) report += fmt::format("[{}] {}\n", error.code, format(error));
    report += "\n";
  }
  test::expect_golden("lesson/bad_texts.txt", report);
}

TEST(LessonText, FormatsNumbersForReading) {
  EXPECT_EQ(format_number(4), "4");
  EXPECT_EQ(format_number(16384), "16,384");
  EXPECT_EQ(format_number(-1234567), "-1,234,567");
  EXPECT_EQ(format_number(12.345), "12.35");
  EXPECT_EQ(format_number(0.5), "0.5");
  EXPECT_EQ(format_number(-0.001), "0");
  EXPECT_EQ(format_number(12.5, "percent"), "12.5 %");
  EXPECT_EQ(format_number(100, "percent"), "100 %");
  EXPECT_EQ(format_number(1024, "bytes"), "1,024 B");
  EXPECT_EQ(format_number(65536, "bytes"), "64 KiB");
  EXPECT_EQ(format_number(134217728, "bytes"), "128 MiB");
  EXPECT_EQ(format_number(2.5, "0"), "2");
  EXPECT_EQ(format_number(1000, "3"), "1,000.000");
  EXPECT_EQ(format_number(1234.5, "plain"), "1234.5");
  EXPECT_EQ(format_number(std::nan("")), "–");
  EXPECT_EQ(format_number(HUGE_VAL), "∞");
  EXPECT_EQ(format_number(-HUGE_VAL, "2"), "-∞");
}

bool stated_agrees(const std::string& stated, double computed) {
  const std::string text =
      replaced(small_text, "[[4 = copy(stride=1).global_load.sectors_per_request]]", "[[" + stated + " = n]]");
  const Text parsed = parse_text(lesson_with(text), "en").value();
  for (const Piece& piece : parsed.find("See")->pieces)
    if (piece.kind == Piece::Kind::stated) return agrees(piece, computed);
  return false;
}

TEST(LessonText, ComparesStatedNumbersToTheDigitsStated) {
  EXPECT_TRUE(stated_agrees("4", 4));
  EXPECT_FALSE(stated_agrees("4", 4.3)) << "a whole number is exact";
  EXPECT_FALSE(stated_agrees("4", 5));
  EXPECT_TRUE(stated_agrees("12.5 %", 12.5));
  EXPECT_FALSE(stated_agrees("12.5 %", 12.6));
  EXPECT_TRUE(stated_agrees("33.3 %", 100.0 / 3));
  EXPECT_TRUE(stated_agrees("50 %", 50));
  EXPECT_TRUE(stated_agrees("16,384", 16384));
  EXPECT_TRUE(stated_agrees("0.33", 1.0 / 3));
  EXPECT_FALSE(stated_agrees("0.33", 0.3351));
  EXPECT_FALSE(stated_agrees("4", std::nan("")));
}

}  // namespace
}  // namespace lanescope::lesson
