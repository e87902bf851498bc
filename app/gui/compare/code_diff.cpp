#include "gui/compare/code_diff.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/text.h"
#include "gui/compare/compare_parts.h"

namespace lanescope::gui {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of_code(std::string_view text) {
  Lines lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();  // the text ends with a newline
  for (std::string_view& line : lines) {
    line = without_mark(line);
    const std::size_t end = line.find_last_not_of(" \t\r");
    line = end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
  }
  return lines;
}

// Lines that are equal in both, as pairs of indices within [first, …end): a longest common subsequence.
std::vector<std::pair<std::size_t, std::size_t>> common(const Lines& a, const Lines& b, std::size_t first,
                                                        std::size_t end_a, std::size_t end_b) {
  constexpr std::size_t most = std::size_t{16} << 20;  // cells
  const std::size_t rows = end_a - first, columns = end_b - first;
  if (rows == 0 || columns == 0 || rows > most / columns) return {};
  std::vector<std::uint32_t> longest((rows + 1) * (columns + 1));  // from here to the end
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return longest[i * (columns + 1) + j]; };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      at(i, j) = a[first + i] == b[first + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    if (a[first + i] == b[first + j])
      pairs.emplace_back(first + i++, first + j++);
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  }
  return pairs;
}

}  // namespace

std::vector<DiffRow> diff_of(std::string_view text_a, std::string_view text_b) {
  const Lines a = lines_of_code(text_a), b = lines_of_code(text_b);
  std::size_t first = 0, end_a = a.size(), end_b = b.size();
  while (first < end_a && first < end_b && a[first] == b[first]) ++first;
  while (end_a > first && end_b > first && a[end_a - 1] == b[end_b - 1]) --end_a, --end_b;
  std::vector<std::pair<std::size_t, std::size_t>> same;
  for (std::size_t i = 0; i < first; ++i) same.emplace_back(i, i);
  const auto middle = common(a, b, first, end_a, end_b);
  same.insert(same.end(), middle.begin(), middle.end());
  for (std::size_t i = end_a; i < a.size(); ++i) same.emplace_back(i, end_b + (i - end_a));
  same.emplace_back(a.size(), b.size());

  std::vector<DiffRow> rows;
  std::size_t i = 0, j = 0;
  for (const auto& [at_a, at_b] : same) {
    // Lines before the next equal line were changed. They are paired as far as both texts have one.
    while (i < at_a || j < at_b) {
      DiffRow row{0, 0, true};
      if (i < at_a) row.a = static_cast<int>(++i);
      if (j < at_b) row.b = static_cast<int>(++j);
      rows.push_back(row);
    }
    if (at_a < a.size()) rows.push_back({static_cast<int>(++i), static_cast<int>(++j), false});
  }
  return rows;
}

}  // namespace lanescope::gui
