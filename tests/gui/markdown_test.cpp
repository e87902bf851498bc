// A lesson's Markdown as blocks of spans.

#include "gui/parts/markdown.h"

#include <gtest/gtest.h>

namespace lanescope::gui {
namespace {

using Kind = MarkdownBlock::Kind;

std::string plain(const std::vector<MarkdownSpan>& spans) {
  std::string text;
  for (const MarkdownSpan& span : spans) text += span.text;
  return text;
}

TEST(Markdown, ParagraphsJoinTheirLinesAndKeepTheirStyles) {
  const auto blocks = parse_markdown("Eight floats share\na **sector** of `32` bytes.\n\nNext.");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(plain(blocks[0].spans), "Eight floats share a sector of 32 bytes.");
  ASSERT_EQ(blocks[0].spans.size(), 5u);
  EXPECT_TRUE(blocks[0].spans[1].strong);
  EXPECT_TRUE(blocks[0].spans[3].code);
  EXPECT_EQ(plain(blocks[1].spans), "Next.");
}

TEST(Markdown, ListsKnowDepthAndNumber) {
  const auto blocks = parse_markdown("1. one\n2. two\n   - inner\n\nend");
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].kind, Kind::item);
  EXPECT_EQ(blocks[0].number, 1);
  EXPECT_EQ(blocks[1].number, 2);
  EXPECT_EQ(blocks[2].number, 0);
  EXPECT_EQ(blocks[2].level, 1);
  EXPECT_EQ(blocks[3].kind, Kind::paragraph);
}

TEST(Markdown, LooseListItemsAreItems) {
  const auto blocks = parse_markdown("- one\n\n- two\n\n  more of two\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(plain(blocks[0].spans), "one");
  EXPECT_EQ(plain(blocks[1].spans), "two");
  EXPECT_EQ(plain(blocks[2].spans), "more of two");
  EXPECT_EQ(blocks[2].kind, Kind::item);
  EXPECT_LT(blocks[2].number, 0);  // belongs to the item above: no bullet of its own
}

TEST(Markdown, TablesHaveRowsOfCells) {
  const auto blocks = parse_markdown("| a | b |\n|---|---|\n| 1 | `2` |\n");
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].rows.size(), 2u);
  ASSERT_EQ(blocks[0].rows[1].size(), 2u);
  EXPECT_EQ(plain(blocks[0].rows[0][1]), "b");
  EXPECT_TRUE(blocks[0].rows[1][1][0].code);
}

TEST(Markdown, CodeKeepsItsLines) {
  const auto blocks = parse_markdown("```\nint a[1];\n  b;\n```\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].kind, Kind::code);
  EXPECT_EQ(plain(blocks[0].spans), "int a[1];\n  b;\n");
}

TEST(Markdown, HeadingsQuotesAndEntities) {
  const auto blocks = parse_markdown("## Who &amp; what?\n\n> a < b\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].kind, Kind::heading);
  EXPECT_EQ(blocks[0].level, 2);
  EXPECT_EQ(plain(blocks[0].spans), "Who & what?");
  EXPECT_TRUE(blocks[1].quoted);
  EXPECT_EQ(plain(blocks[1].spans), "a < b");
}

TEST(Markdown, NothingMakesItFail) {
  for (const char* text : {"", "\n\n", "|", "```", "**", "[", "<!-- x", "\xff\xfe", "1. ", "> "})
    EXPECT_NO_FATAL_FAILURE((void)parse_markdown(text));
}

}  // namespace
}  // namespace lanescope::gui
