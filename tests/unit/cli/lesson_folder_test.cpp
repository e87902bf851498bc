// A lesson's folder anywhere on the disk, named by its path.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class CliLessonFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons/01_coalescing", lesson_, fs::copy_options::recursive);
    change("lesson.toml", "id = \"coalescing\"", "id = \"mine\"");
  }
  void change(const char* file, const std::string& from, const std::string& to) {
    std::string text = read_file(lesson_ / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file(lesson_ / file, text.replace(at, from.size(), to));
  }

  TempFolder folder_;
  fs::path lesson_ = folder_ / "my lesson";
};

TEST_F(CliLessonFolder, RunsAndIsCompared) {
  const Ran own = lanescope({"run", lesson_.string(), "--variant", "stride", "--check", "--json"});
  ASSERT_EQ(own.code, 0) << own.err;
  EXPECT_EQ(own.json()["totals"], lanescope({"run", "coalescing", "--variant", "stride", "--json"}).json()["totals"]);
  const Ran sides = lanescope({"compare", lesson_.string() + "/", "stride", "packed4"});
  EXPECT_EQ(sides.code, 0) << sides.err;
  EXPECT_EQ(lanescope({"check", lesson_.string()}).code, 0);
}

TEST_F(CliLessonFolder, RunsWithItsOwnChanges) {
  change("stride.cu", "out[i] = value;", "out[i] = value + 1;");
  const Ran wrong = lanescope({"run", lesson_.string(), "--variant", "stride", "--check"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out + wrong.err, HasSubstr("expected"));
}

// docs/security.md
TEST_F(CliLessonFolder, ReadsNothingOutside) {
  write_file(folder_ / "outside.cu", read_file(lesson_ / "stride.cu"));
  change("lesson.toml", "file = \"stride.cu\"", "file = \"../outside.cu\"");
  const Ran ran = lanescope({"run", lesson_.string(), "--variant", "stride"});
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("lesson.toml"), HasSubstr("outside"), HasSubstr("cure: ")));
}

TEST_F(CliLessonFolder, WithoutALessonIsRefused) {
  for (const fs::path& path : {folder_.path(), folder_ / "nowhere"}) {
    const Ran ran = lanescope({"run", path.string()});
    EXPECT_NE(ran.code, 0) << path;
    EXPECT_THAT(ran.err, AllOf(HasSubstr(path.generic_string()), HasSubstr("cure: "))) << path;
  }
}

}  // namespace
}  // namespace lanescope::test
