// `check` on a small lesson that is right, and on that lesson spoilt.

#include "job/lesson_check.h"

#include <gmock/gmock.h>

#include "lesson/lesson_fixture.h"

namespace lanescope::job {
namespace {

using test::replaced;
using testing::HasSubstr;

// "text.md:8:33: error: …" of everything that is wrong, without the folder.
std::string problems(const std::filesystem::path& folder) {
  const Result<lesson::Lesson> lesson = lesson::load(folder.string());
  const Diagnostics found = lesson ? check_lesson(*lesson) : lesson.errors();
  std::string out;
  for (const Diagnostic& problem : found) out += format(problem) + "\n";
  for (std::size_t at; (at = out.find(folder.string() + "/")) != std::string::npos;) out.erase(at, folder.string().size() + 1);
  return out;
}

struct SmallLesson {
  test::TempFolder folder;
  SmallLesson() { test::write_small_lesson(folder.path()); }
  void chinese(const std::string& text) { test::write_file(folder / "text.zh-CN.md", text); }
  void translate() {
    std::string toml = test::small_lesson;
    for (const char* english : {"\"Small\"", "\"What moves?\"", "\"A copy.\"", "\"Elements between neighbouring lanes.\"",
                                "\"Elements.\"", "\"Each lane copies one element.\""})
      toml = replaced(toml, english, std::string("{ en = ") + english + ", zh-CN = \"中文\" }");
    test::write_file(folder / "lesson.toml", toml);
  }
};

TEST(LessonCheck, ALessonThatIsRightHasNothingSaidAboutIt) {
  SmallLesson lesson;
  EXPECT_EQ(problems(lesson.folder.path()), "");
  lesson.translate();
  lesson.chinese(test::small_text);
  EXPECT_EQ(problems(lesson.folder.path()), "");
}

TEST(LessonCheck, AChineseTextWantsAChineseLesson) {
  SmallLesson lesson;
  lesson.chinese(test::small_text);
  const std::string said = problems(lesson.folder.path());
  EXPECT_THAT(said, HasSubstr("lesson.toml:3:9: error: `title` has no Chinese."));
  EXPECT_THAT(said, HasSubstr("cure: Write title = { en = \"…\", zh-CN = \"…\" }."));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 12) << said;
}

TEST(LessonCheck, LanguagesMakeTheSameClaims) {
  SmallLesson lesson;
  lesson.translate();
  lesson.chinese(replaced(test::small_text, "[[4 = copy(stride=1)", "[[8 = copy(stride=2)"));
  std::string said = problems(lesson.folder.path());
  EXPECT_THAT(said, HasSubstr("text.md:8:72: error: `[[4 = copy(stride=1).global_load.sectors_per_request]]` stands here, but not in text.zh-CN.md."));
  EXPECT_THAT(said, HasSubstr("text.zh-CN.md:8:72: error: `[[8 = copy(stride=2).global_load.sectors_per_request]]` stands here, but not in text.md."));
  lesson.chinese(replaced(test::small_text, "<!-- check: copy@load.sectors_per_request >= 4 -->", ""));
  EXPECT_THAT(problems(lesson.folder.path()), HasSubstr("text.md:9:5: error: `<!-- check: copy@load.sectors_per_request>=4 -->` stands here"));
  lesson.chinese(replaced(test::small_text, "Because.", "{{copy.global_load.sectors}}"));
  EXPECT_THAT(problems(lesson.folder.path()), HasSubstr("text.zh-CN.md:11:3: error: `{{copy.global_load.sectors}}` stands here more often than in text.md."));
  lesson.chinese(replaced(test::small_text, "| 0}}", "}}"));
  EXPECT_EQ(problems(lesson.folder.path()), "") << "another format is no other claim";
}

}  // namespace
}  // namespace lanescope::job
