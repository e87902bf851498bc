// The golden runner must be able to fail.
#include "golden.h"

#include <gtest/gtest-spi.h>

namespace lanescope::test {
namespace {

TEST(Golden, DifferenceIsEmptyForEqualTexts) {
  EXPECT_EQ(difference("a\nb\n", "a\nb\n"), "");
}

TEST(Golden, DifferenceShowsTheChangedLineWithItsNeighboursAndNumbers) {
  EXPECT_EQ(difference("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "    2  2\n    3  3\n    4  4\n    5 -5\n    5 +five\n    6  6\n    7  7\n    8  8\n");
}

TEST(Golden, DifferenceShowsAddedAndRemovedLines) {
  EXPECT_EQ(difference("a\nc\n", "a\nb\nc\n"), "    1  a\n    2 +b\n    2  c\n");
  EXPECT_EQ(difference("a\nb\n", "a\n"), "    1  a\n    2 -b\n");
  EXPECT_EQ(difference("a\n", "a"), "only the last newline differs\n");
}

TEST(Golden, AMissingOrWrongExpectationFails) {
  if (rewriting()) GTEST_SKIP() << "expectations are being rewritten";
  const TempFolder folder;
  const auto path = folder / "expected.out";
  EXPECT_NONFATAL_FAILURE(expect_golden(path, "text\n"), "is missing");
  write_file(path, "other\n");
  EXPECT_NONFATAL_FAILURE(expect_golden(path, "text\n"), "-other");
  expect_golden(path, "other\n");
}

TEST(Golden, AStageWithoutFilesGivesACaseThatFails) {
  const auto none = cases("no-such-stage", ".ptx");
  ASSERT_EQ(none.size(), 1u);
  EXPECT_NONFATAL_FAILURE(none.front().text(), "cannot read");
}

}  // namespace
}  // namespace lanescope::test
