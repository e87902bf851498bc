#pragma once
// Half precision by the host's own double arithmetic, independent of the engine: every half, and every sum of two
// halves, is exactly a double.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace lanescope::test {

// Rounds to IEEE 754 binary16, to nearest, ties to even (the host's rounding mode).
inline double round_to_half(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), -14);
  const double unit = std::ldexp(1.0, exponent - 10);
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > 65504 ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

inline double half_from_bits(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, digits = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) return digits == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, exponent - 25));
}

// The elements of a buffer written by --write.
template <typename T>
std::vector<double> elements(const std::string& bytes) {
  std::vector<double> values;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    values.push_back(static_cast<double>(value));
  }
  return values;
}

inline std::vector<double> halves(const std::string& bytes) {
  std::vector<double> values;
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + at, 2);
    values.push_back(half_from_bits(bits));
  }
  return values;
}

}  // namespace lanescope::test
