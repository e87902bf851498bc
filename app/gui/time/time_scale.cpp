#include "gui/time/time_scale.h"

#include <algorithm>
#include <cmath>

#include "gui/time/sweep_plot.h"

namespace lanescope::gui {

double TimeScale::part(double seconds) const {
  const double at =
      logarithmic ? std::log(std::max(seconds, low) / low) / std::log(high / low) : (seconds - low) / (high - low);
  return std::clamp(at, 0.0, 1.0);
}

std::vector<std::pair<double, std::string>> TimeScale::ticks() const {
  std::vector<std::pair<double, std::string>> named;
  if (logarithmic) {
    for (double at = std::pow(10.0, std::ceil(std::log10(low))); at <= high; at *= 10)
      named.emplace_back(at, round_time(at * 1e6));
    return named;
  }
  const TimeTicks linear = time_ticks(high * 1e6, 4);
  for (std::size_t i = 0; i < linear.at.size(); ++i) named.emplace_back(linear.at[i] * 1e-6, linear.labels[i]);
  return named;
}

NamedTicks ticks_with_room(const std::vector<TickName>& ticks, float from, float to, float gap) {
  NamedTicks named;
  while (named.first < ticks.size() && ticks[named.first].at - ticks[named.first].width / 2 < from) ++named.first;
  const auto touch = [&](std::size_t every) {
    for (std::size_t i = named.first + every; i < ticks.size() && ticks[i].at + ticks[i].width / 2 <= to; i += every)
      if (ticks[i].at - ticks[i].width / 2 < ticks[i - every].at + ticks[i - every].width / 2 + gap) return true;
    return false;
  };
  while (touch(named.every)) ++named.every;
  return named;
}

float sample_offset(std::size_t n) {
  return static_cast<float>((n * 7) % 11) / 5.0f - 1.0f;
}

TimeScale scale_for(const std::vector<VariantTime>& variants, const std::vector<TimeLine>& lines) {
  // Bars from 0 show a factor at a glance, as long as the shortest is more than a hair.
  constexpr double alike = 25, headroom = 1.04;
  double least = 0, most = 0;
  for (const VariantTime& one : variants) {
    if (!one.timed()) continue;
    const double median = one.run->timing->seconds.median;
    least = least == 0 ? median : std::min(least, median);
    most = std::max(most, median);
  }
  double lowest = least;
  for (const TimeLine& line : lines) {
    most = std::max(most, line.seconds);
    if (line.kind == TimeLine::Kind::library && least > 0) least = std::min(least, line.seconds);
    lowest = lowest == 0 ? line.seconds : std::min(lowest, line.seconds);
  }
  TimeScale scale;
  scale.logarithmic = least > 0 && most > alike * least;
  scale.low = scale.logarithmic ? lowest / 1.3 : 0;
  scale.high = std::max(most * headroom, 1e-9);
  return scale;
}

}  // namespace lanescope::gui
