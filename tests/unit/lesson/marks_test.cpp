#include "lesson/marks.h"

#include <gtest/gtest.h>

namespace lanescope::lesson {

namespace {
constexpr const char* source =
    "__global__ void k(float* a) {\n"       // 1
    "  // @phase load\n"                    // 2
    "  float x = a[0];  // @first\n"        // 3
    "  // @second\n"                        // 4
    "  float y = a[1];\n"                   // 5
    "  // @phase last warp\n"               // 6
    "  a[2] = x + y;  // an @ elsewhere\n"  // 7
    "  a[3] = x;  // @first\n"              // 8
    "}\n";                                  // 9
}  // namespace

TEST(Marks, FindsLinesAndPhases) {
  const std::vector<Mark> found = marks(source);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].name, "first");
  EXPECT_TRUE(found[0].contains(3));
  EXPECT_TRUE(found[0].contains(8));
  EXPECT_FALSE(found[0].contains(5));
  EXPECT_EQ(found[1].name, "second");
  EXPECT_TRUE(found[1].contains(5)) << "a comment that stands alone marks the next line";
  EXPECT_EQ(found[2].name, "load");
  EXPECT_TRUE(found[2].contains(5));
  EXPECT_FALSE(found[2].contains(6));
  EXPECT_EQ(found[3].name, "last_warp");
  EXPECT_TRUE(found[3].contains(9));
}

TEST(Marks, TellsThePhaseOfALine) {
  const std::vector<Phase> found = phases(source);
  EXPECT_EQ(phase_of(found, 1), "");
  EXPECT_EQ(phase_of(found, 2), "load");
  EXPECT_EQ(phase_of(found, 5), "load");
  EXPECT_EQ(phase_of(found, 6), "last warp");
  EXPECT_EQ(phase_of(found, 9), "last warp");
}

TEST(Marks, HandlesEmptyAndUnterminatedText) {
  EXPECT_TRUE(marks("").empty());
  EXPECT_EQ(marks("x // @end").size(), 1u);
  EXPECT_TRUE(phases("// @phase").empty());
}

}  // namespace lanescope::lesson
