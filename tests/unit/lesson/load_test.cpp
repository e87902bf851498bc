#include "lesson/lesson.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "lesson/lesson_fixture.h"
#include "test_paths.h"

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;
using test::replaced;
using test::small_lesson;
using test::TempFolder;

TEST(LessonLoad, OneLessonIsTheOneThatTheLibraryHas) {
  const std::string shipped = LANESCOPE_SOURCE_DIR "/lessons";
  const Library library = load_library(shipped);
  ASSERT_GE(library.lessons.size(), 7u);
  for (const Lesson& lesson : library.lessons) {
    const std::optional<Lesson> one = load_one(shipped, lesson.id);
    ASSERT_TRUE(one.has_value()) << lesson.id;
    EXPECT_EQ(one->folder, lesson.folder);
    EXPECT_EQ(one->text, lesson.text);
  }
  EXPECT_FALSE(load_one(shipped, "coalescin").has_value());
  EXPECT_FALSE(load_one(shipped, "").has_value());
  EXPECT_FALSE(load_one(shipped + "/01_coalescing", "coalescing").has_value());
}

TEST(LessonLoad, OneLessonIsLeftToTheLibraryWhereItIsNotPlainWhichOne) {
  const TempFolder folder;
  for (const char* const name : {"a", "b"}) {
    fs::create_directory(folder / name);
    test::write_small_lesson(folder / name);
  }
  EXPECT_FALSE(load_one(folder.path().string(), "small").has_value());  // both have this id
  const std::string own = test::read_file(folder / "b" / "lesson.toml");
  test::write_file(folder / "b" / "lesson.toml", replaced(own, "id = \"small\"", "id = \"large\""));
  EXPECT_EQ(load_one(folder.path().string(), "small")->folder, (folder / "a").generic_string());
  EXPECT_EQ(load_one(folder.path().string(), "large")->folder, (folder / "b").generic_string());
  // A folder name that begins differently may have any id.
  test::write_file(folder / "b" / "lesson.toml", "# mine\n" + own);
  EXPECT_FALSE(load_one(folder.path().string(), "small").has_value());
}

TEST(LessonLoad, ReadsACorrectLesson) {
  TempFolder folder;
  test::write_small_lesson(folder.path());
  const Result<Lesson> lesson = load(folder.path().string());
  ASSERT_TRUE(lesson.ok()) << format(lesson.errors()[0]);
  EXPECT_EQ(lesson->id, "small");
  ASSERT_EQ(lesson->variants.size(), 1u);
  const Variant& copy = lesson->variants[0];
  EXPECT_EQ(copy.arguments.size(), 3u);
  EXPECT_EQ(copy.checks.size(), 2u);
  EXPECT_EQ(evaluate(copy.first().shape.grid_x, lesson->defaults(copy)).value(), 4);
  EXPECT_EQ(evaluate(copy.first().shape.grid_x, lesson->defaults(copy, true)).value(), 2);
  EXPECT_EQ(evaluate(copy.first().shape.grid_y, {}).value(), 1);
  EXPECT_EQ(lesson->sources.at("copy.cu"), test::small_kernel);
}

TEST(LessonLoad, ReplacesFormulasInAKernelsName) {
  Variant variant;
  variant.first().kernel = "copy<float, {per_thread * 2}, {1}>";
  EXPECT_EQ(kernel_name(variant, {{"per_thread", 4}}).value(), "copy<float, 8, 1>");
  variant.first().kernel = "copy<{oops}>";
  EXPECT_FALSE(kernel_name(variant, {}).ok());
  variant.first().kernel = "copy<{1>";
  EXPECT_FALSE(kernel_name(variant, {}).ok());
}

// Diagnostics of a lesson folder, without the folder's own name.
std::string problems(const fs::path& folder) {
  const Result<Lesson> lesson = load(folder.string());
  if (lesson) return "no error\n";
  std::string out;
  for (const Diagnostic& error : lesson.errors()) {
    std::string line = format(error);
    while (line.find(folder.string() + "/") != std::string::npos) line = replaced(line, folder.string() + "/", "");
    out += fmt::format("[{}] {}\n", error.code, line);
  }
  return out;
}

// All kinds of errors in a lesson and their messages: see tests/cases/lesson/bad_lessons.txt.
TEST(LessonLoad, SaysWhatIsWrongAndWhere) {
  struct Spoilt {
    const char* name;
    const char* from;
    const char* to;
  };
  const Spoilt cases[] = {
      {"a missing field", "title = \"Small\"\n", ""},
      {"a missing field of a variant", "kernel = \"copy\"\n", ""},
      {"a missing field of a control", "explain = \"Elements.\"\n", ""},
      {"a missing field of an argument", ", fill = \"iota\"", ""},
      {"an unknown key", "summary = \"A copy.\"", "sumary = \"A copy.\""},
      {"an unknown key of a variant", "block = 32", "block = 32\nblok = 32"},
      {"a wrong type", "order = 1", "order = \"first\""},
      {"an argument that is neither", "scalar = \"i32\", ", ""},
      {"an unknown element type", "buffer = \"f32\", count = \"n\"", "buffer = \"float\", count = \"n\""},
      {"a bad formula", "ceil_div(n, 32)", "ceil_div(n 32)"},
      {"an unknown control in a formula", "ceil_div(n, 32)", "ceil_div(m, 32)"},
      {"an unknown control of a variant", "controls = [\"stride\", \"n\"]", "controls = [\"strid\", \"n\"]"},
      {"an unknown buffer in a check", "in[i * stride]\"", "im[i * stride]\""},
      {"a check that compares nothing", "out[i] == in[i * stride]", "out[i]"},
      {"a default out of range", "value = 8", "value = 33"},
      {"a default that is no choice", "full_value = 64", "full_value = 65"},
      {"a range with nothing in it", "max = 32", "max = 0"},
      {"a file that is not there", "file = \"copy.cu\"", "file = \"coppy.cu\""},
      {"a name that is no name", "id = \"copy\"", "id = \"co py\""},
      {"a reserved name", "name = \"stride\"", "name = \"min\""},
      {"two controls of one name", "name = \"n\"", "name = \"stride\""},
      {"broken TOML", "[[variant]]", "[[variant"},
      {"a look at nothing", "block = 32", "block = 32\nlook = { mark = \"lod\" }"},
      {"an unknown view", "block = 32", "block = 32\nlook = { view = \"sector\" }"},
      {"no variant", "[[variant]]", "[[varient]]"},
  };
  std::string report;
  for (const Spoilt& spoilt : cases) {
    TempFolder folder;
    test::write_small_lesson(folder.path());
    test::write_file(folder / "lesson.toml", replaced(small_lesson, spoilt.from, spoilt.to));
    const std::string said = problems(folder.path());
    EXPECT_NE(said, "no error\n") << spoilt.name;
    report += fmt::format("## {}\n{}\n", spoilt.name, said);
  }
  test::expect_golden("lesson/bad_lessons.txt", report);
}

TEST(LessonLoad, RefusesStrayAndMissingFiles) {
  TempFolder folder;
  test::write_small_lesson(folder.path());
  test::write_file(folder / "notes.txt", "hello");
  EXPECT_THAT(problems(folder.path()), testing::HasSubstr("[lesson.stray_file] notes.txt: error"));
  fs::remove(folder / "notes.txt");
  fs::remove(folder / "text.md");
  EXPECT_THAT(problems(folder.path()), testing::HasSubstr("[lesson.missing_file] text.md: error"));
  fs::remove(folder / "lesson.toml");
  EXPECT_THAT(problems(folder.path()), testing::HasSubstr("[lesson.io] lesson.toml: error"));
  EXPECT_EQ(load("/nowhere/at/all").errors()[0].code, "lesson.no_such");
}

// It would silently mean the whole phase.
TEST(LessonLoad, RefusesAMarkThatIsNamedLikeAPhase) {
  TempFolder folder;
  test::write_small_lesson(folder.path());
  test::write_file(folder / "copy.cu", replaced(test::small_kernel, "out[i] = value;", "out[i] = value;  // @load"));
  EXPECT_THAT(
      problems(folder.path()),
      testing::AllOf(testing::HasSubstr(
                         "[lesson.bad_mark] copy.cu:6: error: The mark `load` has the same name as the phase `load`"),
                     testing::HasSubstr("cure: Give the mark another name")));
  // Also if the phase's name has several words.
  test::write_file(folder / "copy.cu",
                   replaced(replaced(test::small_kernel, "out[i] = value;", "out[i] = value;  // @write_back"),
                            "@phase store", "@phase write back"));
  EXPECT_THAT(problems(folder.path()),
              testing::HasSubstr("The mark `write_back` has the same name as the phase `write back`"));
  test::write_file(folder / "copy.cu", replaced(test::small_kernel, "out[i] = value;", "out[i] = value;  // @write"));
  EXPECT_EQ(problems(folder.path()), "no error\n");
}

TEST(LessonLoad, RefusesTwoLessonsWithOneId) {
  TempFolder folder;
  test::write_small_lesson(folder / "01_a");
  test::write_small_lesson(folder / "02_b");
  const Result<std::vector<Lesson>> lessons = load_all(folder.path().string());
  ASSERT_FALSE(lessons.ok());
  EXPECT_EQ(lessons.errors()[0].code, "lesson.duplicate_id");
  test::write_file(folder / "02_b/lesson.toml",
                   replaced(replaced(small_lesson, "\"small\"", "\"other\""), "order = 1", "order = 0"));
  const Result<std::vector<Lesson>> distinct = load_all(folder.path().string());
  ASSERT_TRUE(distinct.ok()) << format(distinct.errors()[0]);
  EXPECT_EQ((*distinct)[0].id, "other") << "lessons come by their order";
}

}  // namespace
}  // namespace lanescope::lesson
