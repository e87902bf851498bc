#pragma once
// The range that a number may lie in. Internal to job/.

#include <cstdint>

namespace lanescope::job {

struct Bounds {
  std::uint64_t low = 0, high = 0;
  bool contain(std::uint64_t value) const { return low <= value && value <= high; }
};

}  // namespace lanescope::job
