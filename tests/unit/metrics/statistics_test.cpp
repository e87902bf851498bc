#include "metrics/statistics.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::metrics {

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(median_interval(std::vector<double>{5, 1, 3}).median, 3);
  EXPECT_EQ(median_interval(std::vector<double>{4, 1, 3, 2}).median, 2.5);
  EXPECT_EQ(median_interval({}).samples, 0u);
}

TEST(Statistics, FewSamplesClaimNoMoreThanTheirRange) {
  const Interval interval = median_interval(std::vector<double>{7, 9, 8});
  EXPECT_EQ(interval.low, 7);
  EXPECT_EQ(interval.high, 9);
}

// Ranks of the 95 % interval for the median from tables of the binomial distribution: n = 100 → 40th and 61st.
TEST(Statistics, IntervalRanksMatchTheTableForAHundredSamples) {
  std::vector<double> samples;
  for (int i = 1; i <= 100; ++i) samples.push_back(i);
  const Interval interval = median_interval(samples);
  EXPECT_EQ(interval.low, 40);
  EXPECT_EQ(interval.high, 61);
}

TEST(Statistics, IntervalCoversTheTrueMedianAboutNineteenTimesInTwenty) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> times(0.0, 0.4);  // true median: 1
  int covered = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(51);
    for (double& sample : samples) sample = times(random);
    const Interval interval = median_interval(samples);
    covered += interval.low <= 1 && 1 <= interval.high;
  }
  EXPECT_GT(covered, trials * 94 / 100);
  EXPECT_LT(covered, trials * 99 / 100);
}

TEST(Statistics, FasterIsSaidOnlyWhenTheIntervalsPart) {
  const Interval a{.median = 10, .low = 9.9, .high = 10.1, .samples = 50};
  const Interval b{.median = 11, .low = 10.9, .high = 11.1, .samples = 50};
  const Interval near_a{.median = 10.05, .low = 9.95, .high = 10.15, .samples = 50};
  EXPECT_EQ(compare(a, b).verdict, Verdict::a_faster);
  EXPECT_EQ(compare(b, a).verdict, Verdict::b_faster);
  const Comparison close = compare(a, near_a);
  EXPECT_EQ(close.verdict, Verdict::cannot_be_told_apart);
  const Interval touching{.median = 10.3, .low = 10.1, .high = 10.5, .samples = 50};
  EXPECT_EQ(compare(a, touching).verdict, Verdict::cannot_be_told_apart) << "10.1 may be the median of both";
  EXPECT_EQ(compare(touching, a).verdict, Verdict::cannot_be_told_apart);
  // Half-widths 0.1 + 0.1 must shrink below 0.05: sixteen times the samples.
  EXPECT_NEAR(static_cast<double>(close.samples_needed), 50 * 16, 2);
}

// All of n samples are on one side of the median with probability 2^(1−n), so their range covers 95 % from six samples
// on.
TEST(Statistics, FewerThanSixSamplesDecideNothing) {
  std::vector<double> slow{21, 22, 23, 24, 25}, quick{11, 12, 13, 14, 15};
  const Comparison few = compare(median_interval(slow), median_interval(quick));
  EXPECT_EQ(few.verdict, Verdict::cannot_be_told_apart);
  EXPECT_EQ(few.samples_needed, 6u);
  EXPECT_NEAR(few.ratio, 13.0 / 23, 1e-12);
  EXPECT_TRUE(ranges_apart(median_interval(slow), median_interval(quick))) << "but they lie apart";
  EXPECT_FALSE(ranges_apart(median_interval(slow), median_interval(slow)));
  slow.push_back(26);
  EXPECT_EQ(compare(median_interval(slow), median_interval(quick)).verdict, Verdict::cannot_be_told_apart);
  quick.push_back(16);
  EXPECT_EQ(compare(median_interval(slow), median_interval(quick)).verdict, Verdict::b_faster);
  const Interval one = median_interval(std::vector<double>{7});
  EXPECT_EQ(compare(one, one).samples_needed, 6u);
}

TEST(Statistics, EqualMediansAreNeverDecided) {
  const Interval a{.median = 10, .low = 9, .high = 11, .samples = 9};
  EXPECT_EQ(compare(a, a).samples_needed, 0u);
}

}  // namespace lanescope::metrics
