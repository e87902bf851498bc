// `lanescope shot` as typed, on a machine without a display. The window's tests check what it saves.
#include "cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::test {
namespace {

using testing::HasSubstr;

bool built_without_window() {
  return lanescope({"shot", "--help"}).out.find("--lesson") == std::string::npos;
}

TEST(CliShot, RefusesWhatItDoesNotUnderstand) {
  if (built_without_window()) GTEST_SKIP() << "built without the window";
  const auto refuses = [](const std::vector<std::string>& arguments, const char* said) {
    const Ran ran = lanescope(with({"shot"}, arguments));
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(said));
    EXPECT_THAT(ran.err, HasSubstr("cure:"));
    EXPECT_EQ(ran.out, "");
  };
  refuses({}, "--output is required");
  refuses({"-o", "x.png", "--size", "big"}, "`--size big`");
  refuses({"-o", "x.png", "--size", "100x100"}, "`--size 100x100`");
  refuses({"-o", "x.png", "--set", "stride"}, "`--set stride`");
  refuses({"-o", "x.png", "--theme", "pink"}, "pink");
  refuses({"-o", "x.png", "--nothing"}, "--nothing");
  refuses({"-o", "x.png", "--recorded"}, "--device");
}

TEST(CliShot, NeedsADisplay) {
  if (built_without_window()) GTEST_SKIP() << "built without the window";
  const Ran ran = lanescope({"shot", "x.png"});
  EXPECT_EQ(ran.code, 3) << ran.err;
  const Ran chinese = lanescope({"shot", "x.png", "--language", "zh-CN"});
  EXPECT_EQ(chinese.code, 3);
  EXPECT_NE(chinese.err, ran.err);
}

TEST(CliShot, AHeadlessBinarySaysSo) {
  if (!built_without_window()) GTEST_SKIP() << "built with the window";
  const Ran ran = lanescope({"shot", "x.png", "--lesson", "coalescing"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("built without its window"));
}

}  // namespace
}  // namespace lanescope::test
