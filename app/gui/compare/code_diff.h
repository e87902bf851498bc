#pragma once
// Two texts beside each other, line by line.

#include <string_view>
#include <vector>

namespace lanescope::gui {

// Lines of the two that stand beside each other, from 1; 0: none. They are the same, or one was changed into the other.
struct DiffRow {
  int a = 0, b = 0;
  bool changed = false;
  friend bool operator==(const DiffRow&, const DiffRow&) = default;
};

// Every line of both, in order. As many lines as can are the same; spaces at a line's end and the names that a lesson
// gives its lines count for nothing. Texts of many thousand different lines are one change from the first to the last
// of those.
std::vector<DiffRow> diff_of(std::string_view a, std::string_view b);

}  // namespace lanescope::gui
