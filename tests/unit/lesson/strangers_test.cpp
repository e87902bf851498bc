// Lesson folders from others: nothing outside them is read, and a bad one does not stop the others.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <future>

#include "job/lesson/lesson_request.h"
#include "job/run/job.h"
#include "lesson/folder_bounds.h"
#include "lesson/lesson.h"
#include "lesson/lesson_file.h"
#include "lesson/lesson_fixture.h"

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;
using test::replaced;
using test::small_kernel;
using test::small_lesson;
using namespace std::string_literals;
using test::TempFolder;

std::string codes(const Diagnostics& problems) {
  std::string out;
  for (const Diagnostic& one : problems) out += one.code + ":" + std::to_string(one.place.line) + " ";
  return out;
}

std::string codes_of(const fs::path& folder) {
  const Result<Lesson> lesson = load(folder.string());
  return lesson ? "" : codes(lesson.errors());
}

std::string parsed(const std::string& toml) {
  const Result<Lesson> lesson = parse_lesson_file(toml, "lesson.toml");
  return lesson ? "" : codes(lesson.errors());
}

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(StrangersLesson, DeepNestingIsRefusedBeforeItIsParsed) {
  for (const std::string& deep : {"[a" + repeated(".a", 100'000) + "]\n", "a" + repeated(".a", 100'000) + " = 1\n",
                                  "a = " + repeated("[", 100'000), "a = " + repeated("{a = ", 100'000)})
    EXPECT_THAT(parsed(deep), testing::StartsWith("lesson.syntax:1 ")) << deep.substr(0, 10);
}

// What the TOML parser itself considers impossible.
TEST(StrangersLesson, BytesThatTomlDoesNotKnowAreRefusedWithTheirPlace) {
  EXPECT_EQ(parsed("[\0"s), "lesson.syntax:1 ");
  EXPECT_EQ(parsed("\xcf\x8f"), "lesson.syntax:1 ");
  EXPECT_EQ(parsed("a = 1\nb = \"\xff\"\n"), "lesson.syntax:2 ");
  EXPECT_EQ(parsed("a = '\xed\xa0\x80'\n"), "lesson.syntax:1 ") << "a surrogate";
  EXPECT_THAT(parsed("a = [1,\n}\n"), testing::StartsWith("lesson.syntax:2 "));
  EXPECT_THAT(parsed("a = [{b = 1],\n]\n"), testing::StartsWith("lesson.syntax:1 "));
  EXPECT_EQ(parsed("# \x7f\n"), "lesson.syntax:1 ");
  EXPECT_EQ(parsed("a = 1\nb = -~'\xcf\x8f'\n"), "lesson.syntax:2 ");
  EXPECT_EQ(parsed("a = 1 \"b\"\n"), "lesson.syntax:1 ");
}

TEST(StrangersLesson, ATableWithoutANameIsRefusedWithItsPlace) {
  for (const char* nameless : {"[[+ariant]]", "[=]", "  [", "[\n", "[[ ", "[]", "[.a]"})
    EXPECT_THAT(parsed("a = [\n[1]]\n"s + nameless), testing::StartsWith("lesson.syntax:3 ")) << nameless;
  EXPECT_EQ(parsed(replaced(small_lesson, "[[variant]]", "  [[ variant ]]")), "");
  EXPECT_EQ(parsed(replaced(small_lesson, "[[variant]]", "[[\"variant\"]]")), "");
}

TEST(StrangersLesson, WhatTomlAllowsIsNotRefused) {
  const std::string dots = repeated("1.5, ", 200), title = "title = \"Small\"";
  for (const std::string& legal :
       {"\xef\xbb\xbf"s + small_lesson, "# " + repeated("[.", 100) + " 一\n" + small_lesson,
        replaced(small_lesson, title, "title = \"一 \\\" [[[[ " + repeated(".", 100) + "\""),
        replaced(small_lesson, title, "title = '''\n" + repeated("[", 100) + " '' 一\n'''''"),
        replaced(small_lesson, title, "title = \"\"\"\n" + repeated("{", 100) + " \\\"\"\" \"\" 一\n\"\"\""),
        replaced(small_lesson, title, "title = 'C:\\'  # " + repeated("{", 100))})
    EXPECT_EQ(parsed(legal), "") << legal.substr(0, 200);
  EXPECT_EQ(parsed("numbers = [ " + dots + "]\n" + small_lesson), "lesson.unknown_key:1 ");
}

TEST(StrangersLesson, OneBrokenFolderLeavesTheOthers) {
  const TempFolder folder;
  test::write_small_lesson(folder / "01_good");
  test::write_file(folder / "02_deep/lesson.toml", "[a" + repeated(".a", 100'000) + "]\n");
  const Library library = load_library(folder.path().string());
  ASSERT_EQ(library.lessons.size(), 1u);
  ASSERT_EQ(library.problems.size(), 1u);
  EXPECT_EQ(library.problems[0].place.file, (folder / "02_deep/lesson.toml").string());
}

TEST(StrangersLesson, RangesThatNoSliderCanCountAreRefused) {
  const std::string wide = replaced(replaced(small_lesson, "min = 1\n", "min = -9223372036854775808\n"), "max = 32\n",
                                    "max = 9223372036854775807\n");
  EXPECT_THAT(parsed(wide), testing::StartsWith("lesson.bad_control:"));
  EXPECT_THAT(parsed(replaced(small_lesson, "max = 32\n", "max = 32\nstep = 9223372036854775807\n")),
              testing::StartsWith("lesson.bad_control:"));
}

TEST(StrangersLesson, AControlOfTheWholeRangeAllowsWithoutOverflow) {
  Control control;
  control.min = std::numeric_limits<std::int64_t>::min();
  control.max = std::numeric_limits<std::int64_t>::max();
  control.step = 2;
  EXPECT_TRUE(control.allows(8));
  EXPECT_FALSE(control.allows(9));
  EXPECT_FALSE(control.allows(control.max));
}

TEST(StrangersLesson, LinksDoNotLeaveTheFolder) {
  const TempFolder folder;
  test::write_small_lesson(folder / "l");
  test::write_file(folder / "secret", "secret");
  for (const char* const name : {"copy.cu", "text.md", "lesson.toml"}) {
    const std::string own = test::read_file(folder / "l" / name);
    fs::remove(folder / "l" / name);
    fs::create_symlink(folder / "secret", folder / "l" / name);
    EXPECT_THAT(codes_of(folder / "l"), testing::HasSubstr("lesson.outside:")) << name;
    fs::remove(folder / "l" / name);
    test::write_file(folder / "l" / name, own);
  }
  // Links may lead anywhere within the folder, and the folder itself may be a link.
  fs::rename(folder / "l/copy.cu", folder / "l/text.zh-CN.md");
  fs::create_symlink("text.zh-CN.md", folder / "l/copy.cu");
  fs::create_symlink("l", folder / "linked");
  EXPECT_THAT(codes_of(folder / "linked"), testing::Not(testing::HasSubstr("lesson.outside")));
}

TEST(StrangersLesson, APipeIsNotWaitedFor) {
  const TempFolder folder;
  for (const char* const name : {"copy.cu", "text.md", "lesson.toml"}) {
    test::write_small_lesson(folder / name);
    fs::remove(folder / name / name);
    ASSERT_EQ(::mkfifo((folder / name / name).c_str(), 0600), 0);
    auto loaded = std::async(std::launch::async, [&] {
      return codes_of(folder / name) + (load_one(folder.path().string(), "small") ? "" : "-");
    });
    const bool waits = loaded.wait_for(std::chrono::seconds(20)) != std::future_status::ready;
    EXPECT_FALSE(waits) << name;
    if (waits) ::close(::open((folder / name / name).c_str(), O_RDWR | O_NONBLOCK));
    EXPECT_THAT(loaded.get(), testing::HasSubstr("lesson.io:")) << name;
    fs::remove_all(folder / name);
  }
}

TEST(StrangersLesson, HugeFilesAreRefused) {
  const TempFolder folder;
  for (const char* const name : {"copy.cu", "text.md", "lesson.toml"}) {
    test::write_small_lesson(folder / name);
    fs::resize_file(folder / name / name, most_file_bytes + 1);
    EXPECT_THAT(codes_of(folder / name), testing::HasSubstr("lesson.too_large:")) << name;
  }
}

TEST(StrangersLesson, ABufferIsFilledFromTheFolderAlone) {
  const TempFolder folder;
  test::write_small_lesson(folder / "l");
  test::write_file(folder / "secret", std::string(8192, 'x'));
  const auto filled_from = [&](const std::string& file) {
    test::write_file(folder / "l/lesson.toml", replaced(small_lesson, "fill = \"iota\"", "fill = \"@" + file + "\""));
    return codes_of(folder / "l");
  };
  EXPECT_THAT(filled_from("/etc/passwd"), testing::HasSubstr("lesson.outside:"));
  EXPECT_THAT(filled_from("../secret"), testing::HasSubstr("lesson.outside:"));
  fs::create_symlink(folder / "secret", folder / "l/link");
  EXPECT_THAT(filled_from("link"), testing::HasSubstr("lesson.outside:"));
  fs::remove(folder / "l/link");
  ASSERT_EQ(::mkfifo((folder / "l/pipe").c_str(), 0600), 0);
  EXPECT_THAT(filled_from("pipe"), testing::HasSubstr("lesson.io:"));
  fs::remove(folder / "l/pipe");
  fs::rename(folder / "secret", folder / "l/data.bin");
  EXPECT_EQ(filled_from("data.bin"), "");
  const Result<Lesson> lesson = load((folder / "l").string());
  ASSERT_TRUE(lesson.ok());
  const Result<job::Request> request = job::from_lesson(*lesson, lesson->variants[0], {});
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->arguments[0].text(), "f32[1024]=@" + (folder / "l/data.bin").string());
  fs::rename(folder / "l/data.bin", folder / "secret");  // what changed since it was loaded
  fs::create_symlink(folder / "secret", folder / "l/data.bin");
  EXPECT_FALSE(job::from_lesson(*lesson, lesson->variants[0], {}).ok());
}

TEST(StrangersLesson, AKernelIncludesCudasHeadersAlone) {
  const auto refused = [](const std::string& text) { return codes(foreign_includes(text, "copy.cu")); };
  for (const char* const text :
       {"#include \"/proc/self/environ\"", "#include </proc/self/environ>", "# include \"../x.h\"",
        "%:include \"/etc/passwd\"", "/**/#include \"/etc/passwd\"", "# /* # */ include /* */ \"/etc/passwd\"",
        "#inc\\\nlude \"/etc/passwd\"", "#inc\\ \t\nlude \"/etc/passwd\"", "#include_next \"/etc/passwd\"",
        "#import \"/etc/passwd\"", "#include NAME", "?\?=include \"/etc/passwd\"", "#embed \"/etc/passwd\"",
        "#/*\n*/include \"/etc/passwd\"", "#include <cuda/../../x>"})
    EXPECT_EQ(refused(text), "lesson.outside:1 ") << text;
  EXPECT_EQ(refused("int a;\\\nint b;\n#include \"/etc/passwd\"\n"), "lesson.outside:3 ");
  EXPECT_EQ(
      refused(
          "#include <cuda_fp16.h>\n  # include <cuda/barrier>\n#include \"cooperative_groups.h\"\n#define include 1\n"),
      "");
  // Nor a file that happens to be where the program was started.
  const TempFolder folder;
  test::write_file(folder / "notes.h", "secret");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_EQ(refused("#include \"notes.h\""), "lesson.outside:1 ");
  fs::current_path(before);
  test::write_small_lesson(folder / "l");
  test::write_file(folder / "l/copy.cu", "#include \"/proc/self/environ\"\n" + small_kernel);
  EXPECT_EQ(codes_of(folder / "l"), "lesson.outside:1 ");
}

}  // namespace
}  // namespace lanescope::lesson
