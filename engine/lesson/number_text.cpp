// Formats numbers in a lesson's text (lesson/text.h).

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "lesson/text.h"

namespace lanescope::lesson {

namespace {

std::string with_separators(const std::string& digits) {
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string out = digits;
  for (std::size_t at = point; at > begin + 3;) {
    at -= 3;
    out.insert(at, 1, ',');
  }
  return out;
}

// At most `decimals` digits after the point, without trailing zeros.
std::string short_decimal(double value, int decimals) {
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  if (digits.find('.') != std::string::npos) {
    while (digits.ends_with('0')) digits.pop_back();
    if (digits.ends_with('.')) digits.pop_back();
  }
  return digits == "-0" ? "0" : with_separators(digits);
}

std::string format_bytes(double value) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  // Up to some thousand bytes the exact number is more useful: "1,024 B".
  while (unit + 1 < std::size(units) && std::fabs(value) >= (unit == 0 ? 10240 : 1024)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", short_decimal(value, 2), units[unit]);
}

}  // namespace

std::string format_number(double value, std::string_view format) {
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (std::isnan(value)) return "–";
  if (format == "percent") return short_decimal(value, 1) + " %";
  if (format == "bytes") return format_bytes(value);
  static constexpr struct {
    const char* name;
    double scale;
    const char* unit;
  } units[] = {{"s", 1, "s"}, {"ms", 1e3, "ms"}, {"us", 1e6, "µs"}, {"ns", 1e9, "ns"}, {"GB/s", 1e-9, "GB/s"}};
  for (const auto& unit : units)
    if (format == unit.name) return fmt::format("{} {}", short_decimal(value * unit.scale, 2), unit.unit);
  if (format == "plain") return fmt::format("{}", value);
  if (format.size() == 1 && format[0] >= '0' && format[0] <= '6')
    return with_separators(fmt::format("{:.{}f}", value, format[0] - '0'));
  return short_decimal(value, 2);
}

bool agrees(const Piece& stated, double computed) {
  if (!std::isfinite(computed)) return false;
  const double difference = std::fabs(computed - stated.stated);
  // The slack allows for the binary representation of decimals.
  const double slack = 1e-9 * std::max(1.0, std::fabs(stated.stated));
  return difference <= (stated.decimals > 0 ? 0.5 * std::pow(10, -stated.decimals) : 0) + slack;
}

}  // namespace lanescope::lesson
