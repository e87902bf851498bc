#pragma once
// Aligned columns for a terminal.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::cli {

enum class Align : std::uint8_t { left, right };

class Table {
 public:
  void column(std::string title, Align align = Align::right);
  // As many cells as columns; an empty cell stays empty.
  void row(std::vector<std::string> cells);
  // A line of its own between rows.
  void line(std::string text);
  // Columns whose cells are all empty or "–" are left out. Every line ends with a newline.
  std::string text() const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Column {
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // a row with one cell more than columns is a line: its first cell
};

// Columns that a text takes on a terminal: two for a Chinese character, else one for a code point.
std::size_t width_of(const std::string& text);

std::string with_separators(std::uint64_t value);  // "16,384"
// With thousands separators, at most `decimals` digits after the point and no trailing zeros; what is rounded to a
// whole number keeps them ("4.00"), so that "4" is exact.
std::string number(double value, int decimals = 2);

}  // namespace lanescope::cli
