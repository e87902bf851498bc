#include "cli/output/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/output/output.h"
#include "core/text.h"

namespace lanescope::cli {

namespace {

bool is_wide(unsigned code) {
  return (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
         (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff01 && code <= 0xff60);
}

}  // namespace

std::size_t width_of(const std::string& text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : static_cast<unsigned char>(0);
  };
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((byte(at) & 0xc0) == 0x80) continue;
    // All wide characters that are printed have three bytes in UTF-8.
    const bool three = (byte(at) & 0xf0) == 0xe0;
    const unsigned code = three ? (byte(at) & 0x0fu) << 12 | (byte(at + 1) & 0x3fu) << 6 | (byte(at + 2) & 0x3fu) : 0;
    width += is_wide(code) ? 2 : 1;
  }
  return width;
}

void Table::column(const Wording& title, Align align) {
  columns_.push_back({told(title), align});
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

void Table::line(std::string text) {
  std::vector<std::string> cells(columns_.size() + 1);
  cells[0] = std::move(text);
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const auto& cells : rows_)
      if (cells.size() == columns_.size() && !cells[c].empty() && cells[c] != "–")
        widths[c] = std::max(widths[c], width_of(cells[c]));
    if (widths[c] > 0) widths[c] = std::max(widths[c], width_of(columns_[c].title));
  }
  std::string out;
  const auto append = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::size_t used = width_of(cells[c]);
      const std::string padding(widths[c] - std::min(used, widths[c]), ' ');
      line += (line.empty() ? "" : "  ") + (columns_[c].align == Align::left ? cells[c] + padding : padding + cells[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  append(titles);
  for (const auto& cells : rows_) {
    if (cells.size() == columns_.size())
      append(cells);
    else
      out += cells[0] + "\n";
  }
  return out;
}

std::string with_separators(std::uint64_t value) {
  return grouped(value);
}

std::string number(double value, int decimals) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  std::string digits = fmt::format("{:.{}f}", std::fabs(value), decimals);
  if (decimals > 0) {
    const double whole = std::round(value);
    const bool exact = std::fabs(value - whole) <= 1e-9 * std::max(1.0, std::fabs(whole));
    const std::size_t end = digits.find_last_not_of('0') + 1;
    if (exact || digits[end - 1] != '.') digits.erase(end);  // 3.996 is "4.00", not "4"
    if (digits.ends_with('.')) digits.pop_back();
  }
  for (std::size_t at = std::min(digits.find('.'), digits.size()); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return (value < 0 && digits.find_first_not_of("0.") != std::string::npos ? "-" : "") + digits;
}

}  // namespace lanescope::cli
