#include "sim/alu/alu_soft_float.h"

#include <bit>
#include <utility>

namespace lanescope::sim {

namespace {

using Wide = Unsigned128;
using Kind = ExactNumber::Kind;
using ptx::Rounding;

int top_bit(Wide x) {  // x != 0
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(x));
}

// x >> shift for any shift ≥ 0. `half` is the first dropped bit; `rest` says whether a later one was set.
Wide shift_out(Wide x, int shift, bool& half, bool& rest) {
  half = rest = false;
  if (shift == 0) return x;
  if (shift > 128) {
    rest = x != 0;
    return 0;
  }
  half = ((x >> (shift - 1)) & 1) != 0;
  rest = (x & ((Wide{1} << (shift - 1)) - 1)) != 0;
  return shift == 128 ? 0 : x >> shift;
}

bool rounds_up(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
    case Rounding::rna:
      return half;
    case Rounding::rz:
    case Rounding::rzi:
      return false;
    case Rounding::rm:
    case Rounding::rmi:
      return negative && (half || rest);
    case Rounding::rp:
    case Rounding::rpi:
      return !negative && (half || rest);
    default:
      return half && (rest || odd);
  }
}

ExactNumber nan() {
  return {.kind = Kind::nan};
}
ExactNumber infinity(bool negative) {
  return {.kind = Kind::infinity, .negative = negative};
}
ExactNumber zero(bool negative) {
  return {.kind = Kind::zero, .negative = negative};
}

// a + b. Both are finite or zero and have at most 106 significant bits.
ExactNumber sum(ExactNumber a, ExactNumber b, Rounding rounding) {
  if (a.kind == Kind::zero && b.kind == Kind::zero)
    return zero(a.negative == b.negative ? a.negative : rounding == Rounding::rm);
  if (a.kind == Kind::zero) return b;
  if (b.kind == Kind::zero) return a;
  // The larger one's top bit goes to bit 125. That leaves room for a carry above it and for all bits of the smaller one
  // below it. If the smaller one is so small that its bits do not fit, they are sticky.
  if (top_bit(a.significand) + a.exponent < top_bit(b.significand) + b.exponent) std::swap(a, b);
  const int up = 125 - top_bit(a.significand);
  a.significand <<= up;
  a.exponent -= up;
  const int difference = a.exponent - b.exponent;
  bool half = false, rest = false;
  if (difference < 0)
    b.significand <<= -difference;
  else
    b.significand = shift_out(b.significand, difference, half, rest);
  ExactNumber result = a;
  result.sticky = half || rest;
  if (a.negative == b.negative) {
    result.significand += b.significand;
  } else {
    const Wide lost = result.sticky ? 1 : 0;  // the dropped bits are subtracted too; the result stays sticky
    const Wide subtrahend = b.significand + lost;
    result.negative = a.significand >= subtrahend ? a.negative : b.negative;
    result.significand = a.significand >= subtrahend ? a.significand - subtrahend : subtrahend - a.significand;
  }
  if (result.significand == 0) return zero(rounding == Rounding::rm);
  return result;
}

}  // namespace

FloatFormat format_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
    case ptx::Type::f16x2:
      return format_f16;
    case ptx::Type::bf16:
    case ptx::Type::bf16x2:
      return format_bf16;
    case ptx::Type::f64:
      return format_f64;
    case ptx::Type::tf32:
      return format_tf32;
    case ptx::Type::e4m3x2:
      return format_e4m3;
    case ptx::Type::e5m2x2:
      return format_e5m2;
    default:
      return format_f32;
  }
}

ExactNumber unpack(std::uint64_t bits, FloatFormat format) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int largest = (1 << format.exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & largest;
  const bool negative = ((bits >> (format.width() - 1)) & 1) != 0;
  if (exponent == largest) {
    if (format.has_infinity) return fraction == 0 ? infinity(negative) : nan();
    if (fraction == (std::uint64_t{1} << format.fraction_bits) - 1) return nan();
  }
  if (exponent == 0 && fraction == 0) return zero(negative);
  ExactNumber number{.kind = Kind::finite, .negative = negative};
  number.significand = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << format.fraction_bits);
  number.exponent = (exponent == 0 ? 1 : exponent) - format.bias() - format.fraction_bits;
  return number;
}

ExactNumber exact_integer(bool negative, std::uint64_t magnitude) {
  if (magnitude == 0) return zero(false);
  return {.kind = Kind::finite, .negative = negative, .significand = magnitude};
}

std::uint64_t round_to(const ExactNumber& number, FloatFormat format, Rounding rounding) {
  const std::uint64_t sign = number.negative ? std::uint64_t{1} << (format.width() - 1) : 0;
  const std::uint64_t largest = (std::uint64_t{1} << format.exponent_bits) - 1;
  const std::uint64_t infinite =
      format.has_infinity ? largest << format.fraction_bits
                          : (largest << format.fraction_bits) + (std::uint64_t{1} << format.fraction_bits) - 1;
  switch (number.kind) {
    case Kind::nan:
      if (format.fraction_bits == 52) return 0xfff8000000000000u;
      return (std::uint64_t{1} << (format.width() - 1)) - 1;
    case Kind::infinity:
      return sign | infinite;
    case Kind::zero:
      return sign;
    case Kind::finite:
      break;
  }
  const int exponent = number.exponent + top_bit(number.significand);
  const int smallest = 1 - format.bias();
  const int unit = (exponent < smallest ? smallest : exponent) - format.fraction_bits;
  Wide kept = 0;
  bool half = false, rest = false;
  if (unit <= number.exponent)
    kept = number.significand << (number.exponent - unit);
  else
    kept = shift_out(number.significand, unit - number.exponent, half, rest);
  rest = rest || number.sticky;
  if (rounds_up(rounding, number.negative, (kept & 1) != 0, half, rest)) ++kept;
  // The hidden bit adds one to the exponent; a carry out of the fraction does the same.
  const std::uint64_t biased = exponent < smallest ? 0 : static_cast<std::uint64_t>(exponent - smallest);
  if (biased > largest) kept = Wide{1} << format.fraction_bits;
  const std::uint64_t encoded =
      ((biased > largest ? largest : biased) << format.fraction_bits) + static_cast<std::uint64_t>(kept);
  if (encoded < infinite) return sign | encoded;
  const bool to_infinity = rounding == Rounding::rz   ? false
                           : rounding == Rounding::rm ? number.negative
                           : rounding == Rounding::rp ? !number.negative
                                                      : true;
  return sign | (to_infinity ? infinite : infinite - 1);
}

ExactNumber round_to_integral(const ExactNumber& number, Rounding rounding) {
  if (number.kind != Kind::finite || number.exponent >= 0) return number;
  bool half = false, rest = false;
  Wide kept = shift_out(number.significand, -number.exponent, half, rest);
  if (rounds_up(rounding, number.negative, (kept & 1) != 0, half, rest || number.sticky)) ++kept;
  if (kept == 0) return zero(number.negative);
  return {.kind = Kind::finite, .negative = number.negative, .significand = kept};
}

ExactNumber exact_fma(const ExactNumber& a, const ExactNumber& b, const ExactNumber& c, Rounding rounding) {
  if (a.kind == Kind::nan || b.kind == Kind::nan || c.kind == Kind::nan) return nan();
  ExactNumber product;
  product.negative = a.negative != b.negative;
  if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
    if (a.kind == Kind::zero || b.kind == Kind::zero) return nan();
    if (c.kind == Kind::infinity && c.negative != product.negative) return nan();
    return infinity(product.negative);
  }
  if (c.kind == Kind::infinity) return c;
  if (a.kind == Kind::finite && b.kind == Kind::finite) {
    product.kind = Kind::finite;
    product.significand = a.significand * b.significand;
    product.exponent = a.exponent + b.exponent;
  }
  return sum(product, c, rounding);
}

ExactNumber exact_quotient(const ExactNumber& a, const ExactNumber& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return nan();
  if (a.kind == Kind::infinity) return b.kind == Kind::infinity ? nan() : infinity(negative);
  if (b.kind == Kind::infinity) return zero(negative);
  if (b.kind == Kind::zero) return a.kind == Kind::zero ? nan() : infinity(negative);
  if (a.kind == Kind::zero) return zero(negative);
  // With a dividend of 127 bits, the quotient has at least 74 bits.
  const int up = 126 - top_bit(a.significand);
  const Wide dividend = a.significand << up;
  return {.kind = Kind::finite,
          .negative = negative,
          .sticky = dividend % b.significand != 0,
          .exponent = a.exponent - up - b.exponent,
          .significand = dividend / b.significand};
}

ExactNumber exact_root(const ExactNumber& a) {
  if (a.kind == Kind::nan || (a.negative && a.kind != Kind::zero)) return nan();
  if (a.kind != Kind::finite) return a;
  int up = 126 - top_bit(a.significand);
  if (((a.exponent - up) & 1) != 0) --up;
  const Wide square = a.significand << up;
  Wide root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Wide candidate = root | (Wide{1} << bit);
    if (candidate * candidate <= square) root = candidate;
  }
  return {
      .kind = Kind::finite, .sticky = root * root != square, .exponent = (a.exponent - up) / 2, .significand = root};
}

}  // namespace lanescope::sim
