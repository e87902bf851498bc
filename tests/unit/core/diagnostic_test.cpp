#include "core/diagnostic.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

Diagnostic error_at(int line, int column) {
  return {Severity::error, "compile.error", {"a.cu", line, column}, "expected a \";\"", "Put one there."};
}

TEST(Diagnostic, IsWrittenAsCompilersDo) {
  EXPECT_EQ(format(error_at(2, 3)), "a.cu:2:3: error: expected a \";\"\n  cure: Put one there.");
  EXPECT_EQ(format(error_at(2, 0)), "a.cu:2: error: expected a \";\"\n  cure: Put one there.");
  EXPECT_EQ(format(error_at(0, 0)), "a.cu: error: expected a \";\"\n  cure: Put one there.");
  EXPECT_EQ(format({Severity::note, "x", {}, "so it is", ""}), "note: so it is");
}

TEST(Diagnostic, PointsAtItsColumn) {
  EXPECT_EQ(format_with_source(error_at(2, 4), "first\n\tx = y\nlast\n"),
            format(error_at(2, 4)) + "\n    2 | \tx = y\n      | \t  ^");
  EXPECT_EQ(format_with_source(error_at(3, 0), "first\n\tx = y\nlast"), format(error_at(3, 0)) + "\n    3 | last");
}

TEST(Diagnostic, ALineThatIsNotThereIsLeftOut) {
  EXPECT_EQ(format_with_source(error_at(9, 1), "first\n"), format(error_at(9, 1)));
  EXPECT_EQ(format_with_source(error_at(0, 0), "first\n"), format(error_at(0, 0)));
  // A column past the end of the line is clamped to the end.
  EXPECT_EQ(format_with_source(error_at(1, 80), "abc"), format(error_at(1, 80)) + "\n    1 | abc\n      |    ^");
}

TEST(Diagnostic, NothingThatATerminalWouldObeyIsShown) {
  EXPECT_EQ(format_with_source(error_at(1, 1), "a\x1b[2Jb"), format(error_at(1, 1)));
  EXPECT_EQ(format_with_source(error_at(1, 1), std::string("a\0b", 3)), format(error_at(1, 1)));
  EXPECT_EQ(format_with_source(error_at(1, 1), std::string(5000, 'x')), format(error_at(1, 1)));
}

}  // namespace
}  // namespace lanescope
