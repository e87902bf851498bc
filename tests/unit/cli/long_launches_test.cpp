// A launch that takes long is told at once, then rarely.

#include "cli/output/long_launches.h"

#include <gmock/gmock.h>

namespace lanescope::cli {
namespace {

using std::chrono::seconds;

TEST(LongLaunches, AreToldAtOnceThenRarely) {
  RareLines lines;
  std::vector<int> told;
  for (int now = 10; now <= 4000; now += 10)
    if (lines.allow(seconds(now))) told.push_back(now);
  EXPECT_EQ(told, (std::vector{10, 70, 370, 970, 1570, 2170, 2770, 3370, 3970}));
}

TEST(LongLaunches, AreNamedWithTheirLine) {
  const std::string text = about_long_launch({"add<int>", "a folder/add.cu", 7, {4, 2, 1}, {32, 1, 1}, 61.4, 3});
  EXPECT_THAT(text,
              testing::StartsWith("lanescope: add<int><<<(4, 2), 32>>> (add.cu:7) has run for 61 s, 3 of 8 blocks"));
  EXPECT_THAT(std::string(about_long_launch({"add", "", 0, {4, 1, 1}, {32, 1, 1}, 10, 0})),
              testing::StartsWith("lanescope: add<<<4, 32>>> has run for 10 s"));
}

}  // namespace
}  // namespace lanescope::cli
