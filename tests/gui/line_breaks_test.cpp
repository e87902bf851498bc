// Where texts are broken into lines.

#include "gui/kit/line_breaks.h"

#include <gtest/gtest.h>

#include <string>

namespace lanescope::test {
namespace {

// A Latin letter is one unit wide, all others two.
float columns(std::string_view text) {
  float width = 0;
  for (std::size_t at = 0; at < text.size(); at += gui::letter_bytes(static_cast<unsigned char>(text[at])))
    width += static_cast<unsigned char>(text[at]) < 0x80 ? 1.0f : 2.0f;
  return width;
}

std::vector<std::string> lines(std::string_view text, float width) {
  std::vector<std::string> all;
  for (const std::string_view line : gui::lines_of(text, width, columns)) all.emplace_back(line);
  return all;
}

using Lines = std::vector<std::string>;

TEST(LineBreaks, WordsStayWhole) {
  EXPECT_EQ(lines("one two three", 8), (Lines{"one two", "three"}));
  EXPECT_EQ(lines("one\ntwo", 80), (Lines{"one", "two"}));
  EXPECT_EQ(lines("a\n\nb", 80), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines("", 80), (Lines{""}));
  EXPECT_EQ(lines("incomprehensible", 6), (Lines{"incomp", "rehens", "ible"}));
  EXPECT_EQ(lines("global_load.efficiency == 100", 22), (Lines{"global_load.efficiency", "== 100"}));
  EXPECT_EQ(lines("global_load.efficiency == 100", 20), (Lines{"global_load.", "efficiency == 100"}));
}

// Most texts of the window are measured in each frame.
TEST(LineBreaks, ATextThatFitsIsMeasuredOnce) {
  int times = 0;
  const auto measured = [&times](std::string_view text) {
    ++times;
    return columns(text);
  };
  EXPECT_EQ(gui::lines_of("  one two three ", 13, measured), (std::vector<std::string_view>{"one two three"}));
  EXPECT_EQ(times, 1);
  EXPECT_EQ(lines("   ", 13), (Lines{""}));
}

TEST(LineBreaks, ANumberKeepsItsUnit) {
  EXPECT_EQ(lines("1,024 moved, 12.5 % used", 18), (Lines{"1,024 moved,", "12.5 % used"}));
  EXPECT_EQ(lines("it took 3.87 µs.", 13), (Lines{"it took", "3.87 µs."}));
  EXPECT_EQ(lines("it took 366.93¹ µs¹.", 15), (Lines{"it took", "366.93¹ µs¹."}))
      << "nor do the marks of footnotes part them";
  EXPECT_EQ(lines("in 3 blocks", 5), (Lines{"in 3", "block", "s"}));
}

TEST(LineBreaks, ChineseIsBrokenBetweenAnyTwoCharacters) {
  EXPECT_EQ(lines("拷贝 4,194,304 个 float：哪一个最慢？", 22), (Lines{"拷贝 4,194,304 个", "float：哪一个最慢？"}));
  EXPECT_EQ(lines("一二三四五", 6), (Lines{"一二三", "四五"}));
}

TEST(LineBreaks, NoLineBeginsWithAMarkThatClosesOrEndsWithOneThatOpens) {
  EXPECT_EQ(lines("一二三，四", 6), (Lines{"一二", "三，四"}));
  EXPECT_EQ(lines("一二“三四”五", 6), (Lines{"一二", "“三", "四”五"}));
  for (const std::string& line : lines("一个warp（32个lane）。“取模”，《x》；归约（reduction）。", 16)) {
    ASSERT_FALSE(line.empty());
    EXPECT_FALSE(gui::must_not_begin_a_line(gui::codepoint(line, 0))) << line;
    EXPECT_FALSE(line.ends_with("（") || line.ends_with("“") || line.ends_with("《")) << line;
  }
}

// Half of a number would read as another number.
TEST(LineBreaks, CodeIsBrokenAtAWord) {
  const auto first = [](std::string_view code, std::size_t fits) {
    return code.substr(0, gui::code_break(code, fits));
  };
  EXPECT_EQ(first("  __shfl_down_sync(0xffffffff, value, 16);", 24), "  __shfl_down_sync(");
  EXPECT_EQ(first("in[(n - 1 - i) * stride]", 22), "in[(n - 1 - i) * ");
  EXPECT_EQ(first("reinterpret_cast<__half2*>(x)", 25), "reinterpret_cast<");
  EXPECT_EQ(first("a_name_that_is_longer_than_a_line", 20), "a_name_that_is_longe") << "where else?";
}

}  // namespace
}  // namespace lanescope::test
