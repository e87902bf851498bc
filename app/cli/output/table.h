#pragma once
// Aligned columns for a terminal.

#include <cstdint>
#include <string>
#include <vector>

#include "core/wording.h"

namespace lanescope::cli {

enum class Align : std::uint8_t { left, right };

class Table {
 public:
  // The title is shown in the language of told(), if it is a literal or worded(); a std::string stays as it is.
  void column(const Wording& title, Align align = Align::right);
  // One cell per column; an empty cell stays empty.
  void row(std::vector<std::string> cells);
  // A text line between rows.
  void line(std::string text);
  // The table as text. Omits columns whose cells are all empty or "–". Every line ends with a newline.
  std::string text() const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Column {
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // a row with one cell more than columns is a text line: its first cell
};

// Number of terminal columns of a text: two per Chinese character, else one per code point.
std::size_t width_of(const std::string& text);

std::string with_separators(std::uint64_t value);  // "16,384"
// With thousands separators, at most `decimals` digits after the point, and no trailing zeros. A value that was rounded
// to a whole number keeps its zeros ("4.00"), so "4" is always exact.
std::string number(double value, int decimals = 2);

}  // namespace lanescope::cli
