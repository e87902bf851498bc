#pragma once
// Binary floating point in integers, for the rare: directed roundings of division and square root, odd conversions,
// 8-bit formats; f64 where the processor cannot (alu_directed.h). Exact in every format and rounding; slow (tens of
// nanoseconds).

#include <cstdint>

#include "ptx/instruction.h"

namespace lanescope::sim {

__extension__ typedef unsigned __int128 Unsigned128;

struct FloatFormat {
  int exponent_bits = 0, fraction_bits = 0;
  bool has_infinity = true;  // false: the largest exponent holds numbers, all ones is NaN (e4m3)
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int width() const { return 1 + exponent_bits + fraction_bits; }
};
inline constexpr FloatFormat format_f16{5, 10}, format_bf16{8, 7}, format_f32{8, 23}, format_f64{11, 52},
    format_tf32{8, 10}, format_e4m3{4, 3, false}, format_e5m2{5, 2};

// The format of f16, bf16, f32, f64; of one element of a packed type.
FloatFormat format_of(ptx::Type type);

// A number as it is: ±significand · 2^exponent, and a little more (less than one unit of the significand) when
// `sticky`; or zero, infinity, NaN.
struct ExactNumber {
  enum class Kind : std::uint8_t { zero, finite, infinity, nan } kind = Kind::zero;
  bool negative = false;
  bool sticky = false;
  int exponent = 0;
  Unsigned128 significand = 0;  // not 0 when finite
};

ExactNumber unpack(std::uint64_t bits, FloatFormat format);
ExactNumber exact_integer(bool negative, std::uint64_t magnitude);

// The encoding nearest in the direction of `rounding` (rn, rna, rz, rm, rp). A NaN becomes the format's: all ones but
// the sign, for f64 0xfff8000000000000.
std::uint64_t round_to(const ExactNumber& number, FloatFormat format, ptx::Rounding rounding);

// An integer, rounded by rni, rzi, rmi or rpi; infinity, NaN and integers as they are.
ExactNumber round_to_integral(const ExactNumber& number, ptx::Rounding rounding);

// The operands must be results of unpack() of at most 53 significant bits. `rounding` decides the sign of an exact zero
// sum. Invalid operations give NaN.
ExactNumber exact_fma(const ExactNumber& a, const ExactNumber& b, const ExactNumber& c, ptx::Rounding rounding);
ExactNumber exact_quotient(const ExactNumber& a, const ExactNumber& b);
ExactNumber exact_root(const ExactNumber& a);

}  // namespace lanescope::sim
