// `check` on a small correct lesson, and on that lesson with one defect.

#include "job/lesson/lesson_check.h"

#include <gmock/gmock.h>

#include "lesson/lesson_fixture.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

using test::replaced;
using testing::HasSubstr;

// All problems, such as "text.md:8:33: error: …", without the folder.
std::string problems(const std::filesystem::path& folder, MeasuredSource measured = {}) {
  const Result<lesson::Lesson> lesson = lesson::load(folder.string());
  const Diagnostics found = lesson ? check_lesson(*lesson, std::move(measured)) : lesson.errors();
  std::string out;
  for (const Diagnostic& problem : found) out += format(problem) + "\n";
  for (std::size_t at; (at = out.find(folder.string() + "/")) != std::string::npos;)
    out.erase(at, folder.string().size() + 1);
  return out;
}

struct SmallLesson {
  test::TempFolder folder;
  SmallLesson() { test::write_small_lesson(folder.path()); }
  void chinese(const std::string& text) { test::write_file(folder / "text.zh-CN.md", text); }
  void translate() {
    std::string toml = test::small_lesson;
    for (const char* english :
         {"\"Small\"", "\"What moves?\"", "\"A copy.\"", "\"Elements between neighbouring lanes.\"", "\"Elements.\"",
          "\"Each lane copies one element.\""})
      toml = replaced(toml, english, std::string("{ en = ") + english + ", zh-CN = \"中文\" }");
    toml = replaced(toml, "[[control]]", phase("load", "读取") + phase("store", "写入") + "[[control]]");
    test::write_file(folder / "lesson.toml", toml);
  }
  static std::string phase(const std::string& name, const std::string& chinese) {
    return "[[phase]]\nname = \"" + name + "\"\ntitle = { en = \"" + name + "\", zh-CN = \"" + chinese + "\" }\n";
  }
};

TEST(LessonCheck, ALessonThatIsRightHasNothingSaidAboutIt) {
  SmallLesson lesson;
  EXPECT_EQ(problems(lesson.folder.path()), "");
  lesson.translate();
  lesson.chinese(test::small_text);
  EXPECT_EQ(problems(lesson.folder.path()), "");
}

// The control takes 2, 5 and 8: its highest value is below its `max`, 9.
TEST(LessonCheck, RulesAreHeldAtBothEndsOfAControl) {
  SmallLesson lesson;
  const auto with_rule = [&](const std::string& rule) {
    std::string toml =
        replaced(test::small_lesson, "min = 1\nmax = 32\nvalue = 8", "min = 2\nmax = 9\nstep = 3\nvalue = 5");
    test::write_file(lesson.folder / "lesson.toml", toml + "[[variant.check]]\nnumber = \"" + rule + "\"\n");
    test::write_file(lesson.folder / "text.md",
                     replaced(test::small_text, "[[4 = copy(stride=1)", "[[8 = copy(stride=2)"));
    return problems(lesson.folder.path());
  };
  EXPECT_EQ(with_rule("stride < 9"), "");
  EXPECT_THAT(with_rule("stride < 8"),
              HasSubstr("Variant `copy` with stride = 8: the check `stride < 8` does not hold."));
  EXPECT_THAT(with_rule("stride > 2"),
              HasSubstr("Variant `copy` with stride = 2: the check `stride > 2` does not hold."));
}

TEST(LessonCheck, AChineseTextWantsAChineseLesson) {
  SmallLesson lesson;
  lesson.chinese(test::small_text);
  const std::string said = problems(lesson.folder.path());
  EXPECT_THAT(said, HasSubstr("lesson.toml:3:9: error: `title` has no Chinese text."));
  EXPECT_THAT(said, HasSubstr("cure: Write title = { en = \"…\", zh-CN = \"…\" }."));
  EXPECT_THAT(said, HasSubstr("copy.cu:3: error: The phase `load` has no Chinese name."));
  EXPECT_THAT(
      said,
      HasSubstr(
          "cure: Write a [[phase]] into lesson.toml: name = \"store\", title = { en = \"store\", zh-CN = \"…\" }."));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 16) << said;
}

TEST(LessonCheck, APhaseIsNamedInBothLanguages) {
  SmallLesson lesson;
  lesson.translate();
  lesson.chinese(test::small_text);
  test::write_file(lesson.folder / "copy.cu", replaced(test::small_kernel, "@phase store", "@phase write back"));
  EXPECT_THAT(problems(lesson.folder.path()), HasSubstr("lesson.toml:10:1: error: No kernel marks a phase `store`."));
  const Result<lesson::Lesson> shipped = lesson::load(LANESCOPE_SOURCE_DIR "/lessons/05_cooperative_groups");
  ASSERT_TRUE(shipped);
  EXPECT_EQ(lesson::phase_title(shipped->phases, "round", "zh-CN"), "轮次");
  EXPECT_EQ(lesson::phase_title(shipped->phases, "round", "en"), "round");
  EXPECT_EQ(lesson::phase_title(shipped->phases, "the learner's own", "zh-CN"), "the learner's own");
}

TEST(LessonCheck, ThePointNamesNumbersThatThereAre) {
  SmallLesson lesson;
  const auto with_point = [&](const std::string& point) {
    test::write_file(lesson.folder / "lesson.toml",
                     replaced(test::small_lesson, "[[control]]", "[point]\n" + point + "\n[[control]]"));
    return problems(lesson.folder.path());
  };
  const std::string right =
      "numbers = [\"global_load.sectors\", \"divergent_branches\"]\nheat = \"lanes\"\n"
      "sentence = \"{{current.global_load.sectors}} sectors, {{4 * stride}} at most.\"";
  EXPECT_EQ(with_point(right), "");
  EXPECT_THAT(with_point(replaced(right, "\"divergent_branches\"", "\"divergent_branch\"")),
              HasSubstr("lesson.toml:7:1: error: There is no number `divergent_branch` (in `point`)."));
  EXPECT_THAT(with_point(replaced(right, "\"divergent_branches\"", "\"global_load.sectors\"")),
              HasSubstr("`point` names the number `global_load.sectors` twice."));
  EXPECT_THAT(with_point(replaced(right, "[\"", "[\"barriers\", \"votes\", \"shuffles\", \"")),
              HasSubstr("`numbers` of `point` names 5 numbers."));
  EXPECT_THAT(with_point(replaced(right, "\"lanes\"", "\"lane\"")), HasSubstr("There is no line heat `lane`."));
  EXPECT_THAT(with_point(replaced(right, "lanes", "sectors") + "\nheading = \"x\""), HasSubstr("heading"));
  EXPECT_THAT(with_point(replaced(right, "current.global_load.sectors}}", "current.global_load.sector}}")),
              HasSubstr("lesson.toml:10:12: error: There is no number `global_load.sector`"));
  EXPECT_THAT(with_point(replaced(right, "4 * stride", "4 * strid")),
              HasSubstr("`strid` in `4 * strid` is not a control of this lesson."));
  for (const char* other : {"{{copy.global_load.sectors}}", "{{current(n=64).global_load.sectors}}",
                            "[[4 = current.global_load.sectors]]", "{{current.time | us}}"})
    EXPECT_THAT(with_point(replaced(right, "{{4 * stride}}", other)),
                HasSubstr("The sentence of `point` says something else than numbers of the run on screen."))
        << other;
  const std::string both =
      "sentence = { en = \"{{current.global_load.sectors}}\", zh-CN = \"{{current.global_store.sectors}}\" }";
  EXPECT_THAT(with_point(both), HasSubstr("The sentence of `point` has other numbers in Chinese."));
}

// Without its point, a lesson opens with numbers that it is not about.
TEST(LessonCheck, EveryShippedLessonHasItsPoint) {
  const lesson::Library library = lesson::load_library(LANESCOPE_SOURCE_DIR "/lessons");
  ASSERT_GE(library.lessons.size(), 7u);
  for (const lesson::Lesson& shipped : library.lessons) {
    EXPECT_EQ(shipped.point.numbers.size(), lesson::most_point_numbers) << shipped.id;
    EXPECT_FALSE(shipped.point.sentence.en.empty()) << shipped.id;
  }
}

TEST(LessonCheck, LanguagesMakeTheSameClaims) {
  SmallLesson lesson;
  lesson.translate();
  lesson.chinese(replaced(test::small_text, "[[4 = copy(stride=1)", "[[8 = copy(stride=2)"));
  std::string said = problems(lesson.folder.path());
  EXPECT_THAT(said, HasSubstr("text.md:8:72: error: `[[4 = copy(stride=1).global_load.sectors_per_request]]` appears "
                              "here, but not in text.zh-CN.md."));
  EXPECT_THAT(said, HasSubstr("text.zh-CN.md:8:72: error: `[[8 = copy(stride=2).global_load.sectors_per_request]]` "
                              "appears here, but not in text.md."));
  lesson.chinese(replaced(test::small_text, "<!-- check: copy@load.sectors_per_request >= 4 -->", ""));
  EXPECT_THAT(problems(lesson.folder.path()),
              HasSubstr("text.md:9:5: error: `<!-- check: copy@load.sectors_per_request>=4 -->` appears here"));
  lesson.chinese(replaced(test::small_text, "Because.", "{{copy.global_load.sectors}}"));
  EXPECT_THAT(
      problems(lesson.folder.path()),
      HasSubstr("text.zh-CN.md:11:3: error: `{{copy.global_load.sectors}}` appears here more often than in text.md."));
  lesson.chinese(replaced(test::small_text, "| 0}}", "}}"));
  EXPECT_EQ(problems(lesson.folder.path()), "") << "another format is no other claim";
}

// 4 ms, with a 95 % interval from 3.9 to 4.2, for any kernel.
std::optional<Measured> four_milliseconds(const lesson::Variant&, const lesson::ControlValues&) {
  return Measured{{4e-3, 3.9e-3, 4.2e-3, 32}, "a made-up GPU"};
}

TEST(LessonCheck, WhatATextSaysOfTimesIsHeldAgainstTheRecordings) {
  SmallLesson lesson;
  const auto say = [&](const std::string& claim) {
    test::write_file(lesson.folder / "text.md", replaced(test::small_text, "Because.", claim));
    return problems(lesson.folder.path(), four_milliseconds);
  };
  const std::string copy = "copy(n=64,stride=8)";
  EXPECT_EQ(say("<!-- check: " + copy + ".time_low < 0.004 --> <!-- check: " + copy +
                ".time_high > 0.0041 --> <!-- check: " + copy + ".time_samples == 32 -->"),
            "");
  EXPECT_THAT(say("[[4 = 1000 * copy.time]]"), HasSubstr("`copy.time` is measured, so a text cannot state its value."));
  EXPECT_THAT(say("<!-- check: " + copy + ".time_low > " + copy + ".time -->"), HasSubstr("does not hold"));
  EXPECT_EQ(problems(lesson.folder.path()), "") << "nobody measured it: nothing is said";
}

// Otherwise the sentence beside a time would keep stating what was proven at other values.
TEST(LessonCheck, ATimeInATextNamesEveryControl) {
  SmallLesson lesson;
  const auto say = [&](const std::string& claim) {
    test::write_file(lesson.folder / "text.md", replaced(test::small_text, "Because.", claim));
    return problems(lesson.folder.path(), four_milliseconds);
  };
  EXPECT_EQ(say("{{copy(stride=8,n=64).time | ms}}"), "");
  EXPECT_THAT(say("{{copy(n=64).time | ms}}"), HasSubstr("`copy(n=64).time` follows the control `stride` on screen."));
  EXPECT_THAT(say("{{copy(stride=8).bandwidth | GB/s}}"), HasSubstr("follows the control `n` on screen."));
  EXPECT_THAT(say("{{current(stride=8).time | ms}}"), HasSubstr("follows the control `n` on screen."));
  EXPECT_THAT(say("<!-- check: copy.time_low < 1 -->"), HasSubstr("follows the control `stride` on screen."));
}

}  // namespace
}  // namespace lanescope::job
