#pragma once
// Compares two texts line by line.

#include <string_view>
#include <vector>

namespace lanescope::gui {

// Two paired lines, from 1; 0: none. They are equal, or one was changed into the other.
struct DiffRow {
  int a = 0, b = 0;
  bool changed = false;
  friend bool operator==(const DiffRow&, const DiffRow&) = default;
};

// Every line of both texts, in order, with as many equal lines as possible. Spaces at the end of a line and a lesson's
// mark names are ignored. If very large texts differ, everything from the first to the last different line is one
// change.
std::vector<DiffRow> diff_of(std::string_view a, std::string_view b);

}  // namespace lanescope::gui
