// Compares thousands of 2304-bit numbers, so it is optimised in every build.
#if !defined(__clang__)
#pragma GCC optimize("O2")
#endif

#include "alu_exact.h"

#include <algorithm>
#include <bit>

namespace lanescope::sim {

namespace {

constexpr int unit_exponent = -1152;  // exponent of the lowest bit
constexpr std::size_t words = 36;

using Magnitude = std::array<std::uint64_t, words>;

int compare(const Magnitude& a, const Magnitude& b) {
  for (std::size_t i = words; i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
Magnitude plus(const Magnitude& a, const Magnitude& b) {
  Magnitude sum{};
  UInt128 carry = 0;
  for (std::size_t i = 0; i < words; ++i) {
    carry += static_cast<UInt128>(a[i]) + b[i];
    sum[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return sum;
}
Magnitude minus(const Magnitude& a, const Magnitude& b) {  // a ≥ b
  Magnitude difference{};
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const UInt128 x = static_cast<UInt128>(a[i]) - b[i] - borrow;
    difference[i] = static_cast<std::uint64_t>(x);
    borrow = static_cast<std::uint64_t>(x >> 64) != 0 ? 1 : 0;
  }
  return difference;
}
// value · 2^exponent.
Magnitude placed(UInt128 value, int exponent) {
  Magnitude result{};
  const auto at = static_cast<std::size_t>((exponent - unit_exponent) / 64);
  const int shift = (exponent - unit_exponent) % 64;
  result[at] = static_cast<std::uint64_t>(value << shift);
  if (at + 1 < words) result[at + 1] = static_cast<std::uint64_t>(shift == 0 ? value >> 64 : value >> (64 - shift));
  if (at + 2 < words && shift != 0) result[at + 2] = static_cast<std::uint64_t>(value >> 64 >> (64 - shift));
  return result;
}

struct Parts {
  std::uint64_t significand;
  int exponent;
};
Parts parts_of(std::uint64_t bits, const FloatKind& kind) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kind.fraction_bits) - 1);
  const int field = static_cast<int>((bits >> kind.fraction_bits) & ((std::uint64_t{1} << kind.exponent_bits) - 1));
  const int bias = (1 << (kind.exponent_bits - 1)) - 1;
  if (field == 0) return {fraction, 1 - bias - kind.fraction_bits};
  return {fraction | std::uint64_t{1} << kind.fraction_bits, field - bias - kind.fraction_bits};
}
Magnitude magnitude_of(std::uint64_t bits, const FloatKind& kind) {
  const Parts parts = parts_of(bits, kind);
  return placed(parts.significand, parts.exponent);
}

// The encoding of x truncated to the format's digits, or the format's largest number.
std::uint64_t leading_digits(const Magnitude& x, const FloatKind& kind) {
  std::size_t word = words - 1;
  while (word > 0 && x[word] == 0) --word;
  if (word == 0) return 0;
  const int leading = 63 - std::countl_zero(x[word]);
  const int exponent = 64 * static_cast<int>(word) + leading + unit_exponent;
  const int bias = (1 << (kind.exponent_bits - 1)) - 1;
  const int lowest = std::max(exponent, 1 - bias) - kind.fraction_bits;  // exponent of the last digit
  const UInt128 top = static_cast<UInt128>(x[word]) << 64 | x[word - 1];
  const int shift = lowest - unit_exponent - 64 * static_cast<int>(word - 1);
  const auto digits = shift > 127 ? 0 : static_cast<std::uint64_t>(top >> shift);
  const auto field = static_cast<std::uint64_t>(std::max(exponent + bias - 1, 0));
  return std::min((field << kind.fraction_bits) + digits, kind.largest);
}

}  // namespace

bool Exact::is_zero() const {
  return compare(magnitude, {}) == 0;
}

FloatKind kind_of(const std::string& type) {
  FloatKind kind{8, 23, 0};
  const char first = type[0], second = type[1];
  if (first == 'f' && second == '1') kind = {5, 10, 0};   // f16
  if (first == 'b') kind = {8, 7, 0};                     // bf16
  if (first == 'f' && second == '6') kind = {11, 52, 0};  // f64
  if (first == 't') kind = {8, 10, 0};                    // tf32
  if (first == 'e' && second == '4') kind = {4, 3, 0};    // e4m3
  if (first == 'e' && second == '5') kind = {5, 2, 0};    // e5m2
  kind.largest = first == 'e' && second == '4' ? 0x7e : kind.infinity() - 1;
  return kind;
}
bool is_nan(std::uint64_t bits, const std::string& type) {
  const FloatKind kind = kind_of(type);
  const std::uint64_t magnitude = bits & (kind.sign() - 1);
  return type == "e4m3" ? magnitude == 0x7f : magnitude > kind.infinity();
}
bool is_infinite(std::uint64_t bits, const std::string& type) {
  const FloatKind kind = kind_of(type);
  return type != "e4m3" && (bits & (kind.sign() - 1)) == kind.infinity();
}
bool is_subnormal(std::uint64_t bits, const std::string& type) {
  const FloatKind kind = kind_of(type);
  const std::uint64_t magnitude = bits & (kind.sign() - 1);
  return magnitude != 0 && magnitude < std::uint64_t{1} << kind.fraction_bits;
}
std::uint64_t canonical_nan(const std::string& type) {
  return type == "f64" ? 0xfff8000000000000u : kind_of(type).sign() - 1;
}

Exact exact_of(std::uint64_t bits, const std::string& type) {
  if (is_float_type(type)) {
    const FloatKind kind = kind_of(type);
    return {(bits & kind.sign()) != 0, magnitude_of(bits & (kind.sign() - 1), kind)};
  }
  const Int128 value = as_integer(bits, type);
  return {value < 0, placed(static_cast<UInt128>(value < 0 ? -value : value), 0)};
}
Exact exact_product(std::uint64_t a, std::uint64_t b, const std::string& type) {
  const FloatKind kind = kind_of(type);
  const Parts x = parts_of(a & (kind.sign() - 1), kind), y = parts_of(b & (kind.sign() - 1), kind);
  return {((a ^ b) & kind.sign()) != 0,
          placed(static_cast<UInt128>(x.significand) * y.significand, x.exponent + y.exponent)};
}
Exact exact_sum(const Exact& a, const Exact& b) {
  if (a.negative == b.negative) return {a.negative, plus(a.magnitude, b.magnitude)};
  if (compare(a.magnitude, b.magnitude) >= 0) return {a.negative, minus(a.magnitude, b.magnitude)};
  return {b.negative, minus(b.magnitude, a.magnitude)};
}

std::uint64_t exact_to_float(const Exact& x, const std::string& type, const std::string& rounding, bool negative_zero) {
  const FloatKind kind = kind_of(type);
  if (x.is_zero()) return negative_zero ? kind.sign() : 0;
  const std::uint64_t sign = x.negative ? kind.sign() : 0;
  // The largest number not above |x|: a guess first, then corrected by definition.
  std::uint64_t below = leading_digits(x.magnitude, kind);
  while (compare(magnitude_of(below, kind), x.magnitude) > 0) --below;
  while (below < kind.largest && compare(magnitude_of(below + 1, kind), x.magnitude) <= 0) ++below;
  const Magnitude lower = magnitude_of(below, kind);
  if (compare(lower, x.magnitude) == 0) return sign | below;
  // The encoding after the largest number stands for the next number, and means infinity.
  const Magnitude upper = magnitude_of(below + 1, kind);
  const int nearer = compare(plus(x.magnitude, x.magnitude), plus(lower, upper));
  bool up = nearer > 0 || (nearer == 0 && (below & 1) != 0);
  if (rounding == "rna") up = nearer >= 0;
  if (rounding == "rz") up = false;
  if (rounding == "rm") up = x.negative;
  if (rounding == "rp") up = !x.negative;
  return sign | (up ? below + 1 : below);
}

bool exact_is_tiny(const Exact& x, const std::string& type, const std::string& rounding) {
  // Doubling a number that may be tiny moves its rounding to where unlimited exponents would round.
  const FloatKind kind = kind_of(type);
  const std::uint64_t doubled = exact_to_float(exact_sum(x, x), type, rounding);
  return (doubled & (kind.sign() - 1)) < std::uint64_t{2} << kind.fraction_bits;
}

Exact exact_integral(const Exact& x, const std::string& rounding) {
  constexpr std::size_t point = -unit_exponent / 64;
  Magnitude whole = x.magnitude, half{};
  for (std::size_t i = 0; i < point; ++i) whole[i] = 0;
  half[point - 1] = std::uint64_t{1} << 63;
  const Magnitude rest = minus(x.magnitude, whole);
  const int nearer = compare(rest, half);
  const bool exact = compare(rest, {}) == 0;
  bool up = nearer > 0 || (nearer == 0 && (whole[point] & 1) != 0);
  if (rounding == "rzi") up = false;
  if (rounding == "rmi") up = x.negative && !exact;
  if (rounding == "rpi") up = !x.negative && !exact;
  return {x.negative, up ? plus(whole, placed(1, 0)) : whole};
}

std::uint64_t exact_to_integer(const Exact& x, const std::string& type, const std::string& rounding) {
  const Exact integral = exact_integral(x, rounding);
  const int width = width_of(type);
  const bool is_signed = is_signed_type(type);
  const std::uint64_t most = is_signed ? low(~std::uint64_t{0}, width - 1) : low(~std::uint64_t{0}, width);
  const std::uint64_t least = is_signed ? most + 1 : 0;
  const Magnitude limit = placed(integral.negative ? least : most, 0);
  const Magnitude held = compare(integral.magnitude, limit) > 0 ? limit : integral.magnitude;
  const std::uint64_t value = held[-unit_exponent / 64];
  return low(integral.negative ? std::uint64_t{0} - value : value, width);
}

}  // namespace lanescope::sim
