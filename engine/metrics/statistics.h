#pragma once
// Statistics of timing samples: pure functions, tested with invented numbers.
//
// The median is reported with a distribution-free 95 % confidence interval from order statistics (Conover, Practical
// Nonparametric Statistics, §3.2: ranks n/2 ∓ 1.96·√n/2), since kernel times are skewed.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::metrics {

struct Interval {
  double median = 0;
  double low = 0, high = 0;   // 95 % interval of the median
  std::uint64_t samples = 0;  // accepted
  double half_width() const { return (high - low) / 2; }
  // Half the interval ÷ the median; infinite if the median is not positive.
  double relative_half_width() const;
};

// The range of n samples contains the median with probability 1 − 2^(1−n). With fewer samples than this there is no 95
// % interval.
inline constexpr std::uint64_t least_samples = 6;

// Works in any unit. No samples: all zero. Fewer than `least_samples`: the whole range, with less than 95 % confidence.
Interval median_interval(std::span<const double> samples);

enum class Verdict : std::uint8_t { a_faster, b_faster, cannot_be_told_apart };
struct Comparison {
  Verdict verdict = Verdict::cannot_be_told_apart;
  double ratio = 0;  // median of b ÷ median of a
  // If they cannot be told apart: roughly how many samples per side would decide, from the observed spread and the 1/√n
  // law; at least `least_samples`. 0 if the medians are equal (no number would decide) or a side has no samples.
  std::uint64_t samples_needed = 0;
};
// "Faster" only if both have a 95 % interval and the intervals do not overlap.
Comparison compare(const Interval& a, const Interval& b);
// Whether the intervals do not overlap. With fewer than `least_samples` on a side they are ranges, which decide
// nothing.
bool ranges_apart(const Interval& a, const Interval& b);

}  // namespace lanescope::metrics
