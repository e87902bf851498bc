#include "core/lane_mask.h"

#include <vector>

#include <gtest/gtest.h>

namespace lanescope {

TEST(LaneMask, FirstHandlesAWholeWarp) {
  EXPECT_EQ(LaneMask::first(32), LaneMask::all());
  EXPECT_EQ(LaneMask::first(0), LaneMask::none());
  EXPECT_EQ(LaneMask::first(5).bits, 0b11111u);
}

TEST(LaneMask, VisitsItsLanesFromTheLowestUp) {
  std::vector<int> seen;
  LaneMask{0x80000005u}.for_each([&](int lane) { seen.push_back(lane); });
  EXPECT_EQ(seen, (std::vector<int>{0, 2, 31}));
}

}  // namespace lanescope
