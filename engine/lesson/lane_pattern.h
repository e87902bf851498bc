#pragma once
// Named sets of lanes: plausible wrong answers of learners.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lane_mask.h"

namespace lanescope::lesson {

// all, none, even_lanes, odd_lanes, first_half, second_half; first_N (the first N lanes, 1 … 31); every_N (lanes that
// are multiples of N, 2 … 31). nullopt: unknown pattern.
std::optional<LaneMask> lane_pattern(std::string_view name);

// The patterns, for a cure.
const std::vector<std::string>& lane_patterns();

}  // namespace lanescope::lesson
