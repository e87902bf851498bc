#pragma once
// Exact arithmetic to check roundings: numbers are integers of 2304 bits in units of 2^-1152, which can hold every f64,
// every product of two f32 or shorter numbers, and sums of those. Rounding follows the definition: of the two
// neighbouring numbers of the format, the one that the rounding mode selects.

#include <array>
#include <cstdint>
#include <string>

#include "alu_values.h"

namespace lanescope::sim {

struct Exact {
  bool negative = false;
  std::array<std::uint64_t, 36> magnitude{};
  bool is_zero() const;
};

// The number that `bits` encode in a type: integers, f16, bf16, f32, f64, e4m3, e5m2. Only finite ones.
Exact exact_of(std::uint64_t bits, const std::string& type);
Exact exact_product(std::uint64_t a, std::uint64_t b, const std::string& type);
Exact exact_sum(const Exact& a, const Exact& b);

// Encodes x in a float type; `rounding` is rn, rna, rz, rm or rp. A zero result has the sign `negative_zero` if x is
// zero, else the sign of x.
std::uint64_t exact_to_float(const Exact& x, const std::string& type, const std::string& rounding,
                             bool negative_zero = false);
// True if x, rounded as if exponents were unlimited, is below the smallest normal number.
bool exact_is_tiny(const Exact& x, const std::string& type, const std::string& rounding);
// Rounds x to an integer by rni, rzi, rmi or rpi, clamped to the type's range.
std::uint64_t exact_to_integer(const Exact& x, const std::string& type, const std::string& rounding);
// Rounds x to an integral number with x's sign.
Exact exact_integral(const Exact& x, const std::string& rounding);

struct FloatKind {
  int exponent_bits, fraction_bits;
  std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
  std::uint64_t largest;  // the largest finite number, encoded
};
FloatKind kind_of(const std::string& type);
bool is_nan(std::uint64_t bits, const std::string& type);
bool is_infinite(std::uint64_t bits, const std::string& type);
bool is_subnormal(std::uint64_t bits, const std::string& type);
std::uint64_t canonical_nan(const std::string& type);

}  // namespace lanescope::sim
