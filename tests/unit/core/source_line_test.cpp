#include "core/source_line.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

constexpr const char* source = "  first;\n\tsecond;  // @load\r\n\n  // only a comment\nlast";

TEST(SourceLine, IsQuotedWithoutItsIndentation) {
  EXPECT_EQ(source_line(source, 1), "first;");
  EXPECT_EQ(source_line(source, 2), "second;  // @load");
  EXPECT_EQ(source_line(source, 3), "");
  EXPECT_EQ(source_line(source, 4), "// only a comment");
  EXPECT_EQ(source_line(source, 5), "last");
}

TEST(SourceLine, LeavesCommentsOutOnRequest) {
  EXPECT_EQ(source_line(source, 2, Comments::left_out), "second;");
  EXPECT_EQ(source_line(source, 4, Comments::left_out), "");
  EXPECT_EQ(source_line("printf(\"http://%d\\\"//\", 1'000); // why", 1, Comments::left_out),
            "printf(\"http://%d\\\"//\", 1'000);");
  EXPECT_EQ(source_line("c = '\"'; // why", 1, Comments::left_out), "c = '\"';");
}

TEST(SourceLine, IsEmptyWhereThereIsNone) {
  EXPECT_EQ(source_line(source, 0), "");
  EXPECT_EQ(source_line(source, -1), "");
  EXPECT_EQ(source_line(source, 6), "");
  EXPECT_EQ(source_line("", 1), "");
  EXPECT_EQ(source_line("one\n", 2), "");
}

}  // namespace
}  // namespace lanescope
