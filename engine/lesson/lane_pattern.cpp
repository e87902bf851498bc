#include "lesson/lane_pattern.h"

#include <charconv>

namespace lanescope::lesson {

namespace {

// "first_8" → 8; 0 for any other form.
int number_behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return 0;
  int number = 0;
  const auto [end, status] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  return status == std::errc{} && end == name.data() + name.size() && number >= 1 && number <= 31 ? number : 0;
}

}  // namespace

std::optional<LaneMask> lane_pattern(std::string_view name) {
  if (name == "all") return LaneMask::all();
  if (name == "none") return LaneMask::none();
  if (name == "even_lanes") return LaneMask{0x55555555u};
  if (name == "odd_lanes") return LaneMask{0xaaaaaaaau};
  if (name == "first_half") return LaneMask::first(16);
  if (name == "second_half") return LaneMask{0xffff0000u};
  if (const int first = number_behind(name, "first_")) return LaneMask::first(first);
  const int every = number_behind(name, "every_");
  if (every < 2) return std::nullopt;
  LaneMask mask;
  for (int lane = 0; lane < 32; lane += every) mask = mask | LaneMask::lane(lane);
  return mask;
}

const std::vector<std::string>& lane_patterns() {
  static const std::vector<std::string> names{"all",        "none",        "even_lanes", "odd_lanes",
                                              "first_half", "second_half", "first_N",    "every_N"};
  return names;
}

}  // namespace lanescope::lesson
