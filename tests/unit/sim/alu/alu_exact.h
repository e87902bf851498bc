#pragma once
// Exact arithmetic for checking roundings: numbers as integers of 2304 bits in units of 2^-1152, which hold every f64,
// every product of two f32 or shorter numbers, and sums of those. Rounding is by definition: of the two neighbours
// among the format's numbers the one that the rounding asks for.

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

// The number that `bits` encode in a type: integers, f16, bf16, f32, f64, e4m3, e5m2. Finite only.
Exact exact_of(std::uint64_t bits, const std::string& type);
Exact exact_product(std::uint64_t a, std::uint64_t b, const std::string& type);
Exact exact_sum(const Exact& a, const Exact& b);

// The encoding in a float type: `rounding` is rn, rna, rz, rm or rp. A zero result has the sign of `negative_zero` when
// x is zero, else that of x.
std::uint64_t exact_to_float(const Exact& x, const std::string& type, const std::string& rounding,
                             bool negative_zero = false);
// Whether it is below the smallest normal number when rounded as if exponents had no limit.
bool exact_is_tiny(const Exact& x, const std::string& type, const std::string& rounding);
// The integer, by rni, rzi, rmi or rpi, held within the type's range.
std::uint64_t exact_to_integer(const Exact& x, const std::string& type, const std::string& rounding);
// An integral number with x's sign.
Exact exact_integral(const Exact& x, const std::string& rounding);

struct FloatKind {
  int exponent_bits, fraction_bits;
  std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
  std::uint64_t largest;  // finite, as an encoding
};
FloatKind kind_of(const std::string& type);
bool is_nan(std::uint64_t bits, const std::string& type);
bool is_infinite(std::uint64_t bits, const std::string& type);
bool is_subnormal(std::uint64_t bits, const std::string& type);
std::uint64_t canonical_nan(const std::string& type);

}  // namespace lanescope::sim
