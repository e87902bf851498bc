// Strings in two languages.

#include "lesson/phrase.h"

#include <gmock/gmock.h>

#include "lesson/lesson_file.h"
#include "lesson/lesson_fixture.h"

namespace lanescope::lesson {
namespace {

using test::replaced;
using test::small_lesson;

TEST(LessonPhrase, IsEnglishWhereItWasNotTranslated) {
  const Phrase both{"stride", "步长"}, one{"stride", ""};
  EXPECT_EQ(both.in("en"), "stride");
  EXPECT_EQ(both.in("zh-CN"), "步长");
  EXPECT_EQ(both.in("zh"), "步长");
  EXPECT_EQ(both.in("de"), "stride");
  EXPECT_EQ(one.in("zh-CN"), "stride");
}

TEST(LessonPhrase, IsAStringOrATableOfLanguages) {
  const Result<Lesson> lesson = parse_lesson_file(
      replaced(small_lesson, "title = \"Small\"", "title = { en = \"Small\", zh-CN = \"小\" }"), "lesson.toml");
  ASSERT_TRUE(lesson.ok()) << format(lesson.errors()[0]);
  EXPECT_EQ(lesson->title.in("zh-CN"), "小");
  // Question, summary, two explanations, the variant's summary. Things with only a name do not count.
  ASSERT_EQ(lesson->untranslated.size(), 5u);
  EXPECT_EQ(lesson->untranslated[0].place, (SourcePlace{"lesson.toml", 4, 12}));
}

TEST(LessonPhrase, RefusesOtherLanguagesAndAMissingEnglish) {
  const auto codes = [](const char* written) {
    const Result<Lesson> lesson = parse_lesson_file(replaced(small_lesson, "\"Small\"", written), "lesson.toml");
    std::vector<std::string> found;
    if (!lesson)
      for (const Diagnostic& error : lesson.errors()) found.push_back(error.code);
    return found;
  };
  EXPECT_THAT(codes("{ zh-CN = \"小\" }"), testing::ElementsAre("lesson.missing_field"));
  EXPECT_THAT(codes("{ en = \"Small\", zh = \"小\" }"), testing::ElementsAre("lesson.unknown_key"));
  EXPECT_THAT(codes("3"), testing::ElementsAre("lesson.wrong_type"));
}

}  // namespace
}  // namespace lanescope::lesson
