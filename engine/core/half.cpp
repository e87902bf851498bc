#include "core/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanescope {

namespace {
constexpr int significand_bits = 10;
constexpr int smallest_exponent = -14;  // of a normal half

// Correct for normal doubles; all other doubles have exponents below a half's range. Whole buffers are converted, so
// these avoid the library calls ilogb and ldexp.
constexpr int exponent_of(double magnitude) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023;
}
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The bits of the nearest number of a 16-bit format; ties go to even.
template <int fraction_bits, int least_exponent>  // of a normal number
std::uint16_t rounded(double value) {
  constexpr int infinity = 0x7fff >> fraction_bits << fraction_bits;
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | 1 << (fraction_bits - 1));
  const double magnitude = std::fabs(value);
  // Values from the midpoint of the largest number and the next power of two on round to infinity (the tie goes to the
  // even power of two).
  constexpr double too_large = ((4 << fraction_bits) - 1) * power_of_two(-least_exponent - fraction_bits);
  if (magnitude >= too_large) return static_cast<std::uint16_t>(sign | infinity);
  if (magnitude == 0) return sign;
  const int exponent = std::max(exponent_of(magnitude), least_exponent);
  // In units of the last place; nearbyint rounds ties to even, and a carry goes into the exponent.
  const auto count = static_cast<int>(std::nearbyint(magnitude * power_of_two(fraction_bits - exponent)));
  if (count < (1 << fraction_bits)) return static_cast<std::uint16_t>(sign | count);  // subnormal
  const int biased = exponent - least_exponent + 1;
  return static_cast<std::uint16_t>(sign | ((biased << fraction_bits) + count - (1 << fraction_bits)));
}

}  // namespace

std::uint16_t half_bits(double value) {
  return rounded<significand_bits, smallest_exponent>(value);
}

double half_value(std::uint16_t bits) {
  const int exponent = (bits >> significand_bits) & 0x1f;
  const int fraction = bits & 0x3ff;
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 0x1f)
    return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * fraction * power_of_two(smallest_exponent - significand_bits);
  return sign * (fraction + (1 << significand_bits)) * power_of_two(exponent - 15 - significand_bits);
}

std::uint16_t bfloat_bits(double value) {
  return rounded<7, -126>(value);
}

double bfloat_value(std::uint16_t bits) {
  return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16)};
}

}  // namespace lanescope
