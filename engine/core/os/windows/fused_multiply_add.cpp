// std::fma. mingw-w64's own rounds more than once: with operands of similar size, a quarter of its results are wrong.
// These functions replace it, because the linker takes the first definition.

#include "core/os/windows/fused_multiply_add.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace lanescope {
namespace {

__extension__ using Wide = unsigned __int128;

// magnitude * 2^exponent
struct Scaled {
  Wide magnitude = 0;
  int exponent = 0;
  bool negative = false;
};

int top_bit(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64), low = static_cast<std::uint64_t>(value);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
}

Scaled scaled(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0) return {fraction, -1074, bits >> 63 != 0};
  return {fraction | std::uint64_t{1} << 52, exponent - 1075, bits >> 63 != 0};
}

// The highest bit becomes bit 125, which leaves room for a carry.
void align(Scaled& value) {
  const int shift = 125 - top_bit(value.magnitude);
  value.magnitude <<= shift;
  value.exponent -= shift;
}

// Bits that are shifted out set the lowest bit, so that rounding still sees them.
Wide shifted_right(Wide value, int bits) {
  if (bits >= 128) return value != 0;
  const Wide lost = value & ((Wide{1} << bits) - 1);
  return value >> bits | (lost != 0 ? 1 : 0);
}

// Neither is zero. A product has at most 106 bits, so what is shifted out lies far below the bits that are rounded to,
// unless the exponents are close, and then nothing is shifted out.
Scaled sum(Scaled a, Scaled b) {
  align(a);
  align(b);
  if (a.exponent < b.exponent) std::swap(a, b);
  b.magnitude = shifted_right(b.magnitude, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.magnitude + b.magnitude, a.exponent, a.negative};
  if (a.magnitude >= b.magnitude) return {a.magnitude - b.magnitude, a.exponent, a.negative};
  return {b.magnitude - a.magnitude, a.exponent, b.negative};
}

template <typename Float>
Float rounded(const Scaled& value) {
  using Limits = std::numeric_limits<Float>;
  if (value.magnitude == 0) return 0;
  constexpr int lowest = Limits::min_exponent - Limits::digits;  // the exponent of the smallest subnormal number
  const int unit = std::max(top_bit(value.magnitude) + value.exponent - (Limits::digits - 1), lowest);
  const int shift = unit - value.exponent;
  Wide whole = 0;
  if (shift <= 0) {
    whole = value.magnitude << -shift;
  } else if (shift < 128) {
    const Wide half = Wide{1} << (shift - 1), rest = value.magnitude & ((half << 1) - 1);
    whole = value.magnitude >> shift;
    if (rest > half || (rest == half && (whole & 1) != 0)) ++whole;
  }
  const double result = __builtin_ldexp(static_cast<double>(static_cast<std::uint64_t>(whole)), unit);
  return static_cast<Float>(value.negative ? -result : result);
}

bool is_finite(double value) {
  return (std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) != 0x7ff;
}

template <typename Float>
Float fused(Float a, Float b, Float c) {
  if (a == 0 || b == 0 || !is_finite(a) || !is_finite(b)) return a * b + c;
  if (!is_finite(c)) return c;  // a * b may overflow to the opposite infinity
  const Scaled x = scaled(a), y = scaled(b), z = scaled(c);
  const Scaled product{x.magnitude * y.magnitude, x.exponent + y.exponent, x.negative != y.negative};
  return rounded<Float>(z.magnitude != 0 ? sum(product, z) : product);
}

__attribute__((target("fma"))) double by_instruction(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

__attribute__((target("fma"))) float by_instruction(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

}  // namespace

double fma_by_integers(double a, double b, double c) {
  return fused(a, b, c);
}

float fma_by_integers(float a, float b, float c) {
  return fused(a, b, c);
}

}  // namespace lanescope

extern "C" double fma(double a, double b, double c) {
  return __builtin_cpu_supports("fma") ? lanescope::by_instruction(a, b, c) : lanescope::fma_by_integers(a, b, c);
}

extern "C" float fmaf(float a, float b, float c) {
  return __builtin_cpu_supports("fma") ? lanescope::by_instruction(a, b, c) : lanescope::fma_by_integers(a, b, c);
}
