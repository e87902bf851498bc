#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanescope::metrics {

double Interval::relative_half_width() const {
  return median > 0 ? half_width() / median : std::numeric_limits<double>::infinity();
}

Interval median_interval(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  const std::size_t middle = sorted.size() / 2;
  const double median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  const double reach = 1.959963984540054 * std::sqrt(n) / 2;
  const auto rank = [&](double r) {
    return static_cast<std::size_t>(std::clamp(r, 1.0, n)) - 1;  // ranks start at 1
  };
  return {.median = median,
          .low = sorted[rank(std::floor(n / 2 - reach))],
          .high = sorted[rank(std::ceil(n / 2 + 1 + reach))],
          .samples = sorted.size()};
}

bool ranges_apart(const Interval& a, const Interval& b) {
  return a.high < b.low || b.high < a.low;
}

Comparison compare(const Interval& a, const Interval& b) {
  Comparison result;
  if (a.samples == 0 || b.samples == 0) return result;
  result.ratio = a.median > 0 ? b.median / a.median : 0;
  const bool too_few = std::min(a.samples, b.samples) < least_samples;
  if (too_few) result.samples_needed = least_samples;
  if (too_few && ranges_apart(a, b)) return result;
  if (a.high < b.low) result.verdict = Verdict::a_faster;
  if (b.high < a.low) result.verdict = Verdict::b_faster;
  if (result.verdict != Verdict::cannot_be_told_apart) return result;
  // The intervals separate once the sum of both half-widths is below the distance of the medians; half-widths shrink
  // with 1/√n.
  const double distance = std::abs(a.median - b.median);
  if (distance == 0) return result;
  const double excess = (a.half_width() + b.half_width()) / distance;
  const double most = static_cast<double>(std::max(a.samples, b.samples));
  const double needed = std::ceil(most * std::max(1.0, excess * excess)) + 1;
  constexpr double limit = 1e15;
  result.samples_needed = std::max(least_samples, static_cast<std::uint64_t>(std::min(needed, limit)));
  return result;
}

}  // namespace lanescope::metrics
