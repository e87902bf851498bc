#pragma once
// Where a time lies along the bars of the variants: from 0 where the times are alike, else by orders of magnitude.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gui/time/time_sizes.h"

namespace lanescope::gui {

struct TimeScale {
  double low = 0, high = 1;  // seconds
  bool logarithmic = false;
  double part(double seconds) const;  // from 0 to 1
  // Round times and their names, from the shortest; on a logarithmic scale powers of ten.
  std::vector<std::pair<double, std::string>> ticks() const;
};

// The name of a tick, centred at `at`.
struct TickName {
  float at = 0, width = 0;
};
// Which ticks are named: first, first + every, … All that lie between `from` and `to`, `gap` apart from each other, or
// every 2nd, 3rd, … of them: an axis that names 0, 10 and 30 cannot be read.
struct NamedTicks {
  std::size_t first = 0, every = 1;
};
NamedTicks ticks_with_room(const std::vector<TickName>& ticks, float from, float to, float gap);

// How far the nth sample lies below the middle of its row, from -1 to 1, so that samples of like times can be told
// apart. Always the same, so that a drawing can be compared with another.
float sample_offset(std::size_t n);

// For the medians of the variants, and the lines that they are held against.
TimeScale scale_for(const std::vector<VariantTime>& variants, const std::vector<TimeLine>& lines);

}  // namespace lanescope::gui
