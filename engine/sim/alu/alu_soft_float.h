#pragma once
// Binary floating point by integer arithmetic, for rare cases: directed roundings of division and square root, unusual
// conversions, 8-bit formats, and f64 where the processor cannot do it (alu_directed.h). Exact in every format and
// rounding; slow (tens of nanoseconds).

#include <cstdint>

#include "ptx/instruction.h"

namespace lanescope::sim {

__extension__ typedef unsigned __int128 Unsigned128;

struct FloatFormat {
  int exponent_bits = 0, fraction_bits = 0;
  bool has_infinity = true;  // false: the largest exponent has numbers too; all ones is NaN (e4m3)
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int width() const { return 1 + exponent_bits + fraction_bits; }
};
inline constexpr FloatFormat format_f16{5, 10}, format_bf16{8, 7}, format_f32{8, 23}, format_f64{11, 52},
    format_tf32{8, 10}, format_e4m3{4, 3, false}, format_e5m2{5, 2};

// The format of f16, bf16, f32 and f64. For a packed type, that of one element.
FloatFormat format_of(ptx::Type type);

// An exact number: ±significand · 2^exponent, or zero, infinity or NaN. If `sticky`, the magnitude is larger by less
// than one unit of the significand.
struct ExactNumber {
  enum class Kind : std::uint8_t { zero, finite, infinity, nan } kind = Kind::zero;
  bool negative = false;
  bool sticky = false;
  int exponent = 0;
  Unsigned128 significand = 0;  // not 0 if finite
};

ExactNumber unpack(std::uint64_t bits, FloatFormat format);
ExactNumber exact_integer(bool negative, std::uint64_t magnitude);

// The encoding of the number rounded by `rounding` (rn, rna, rz, rm, rp). A NaN becomes the format's own: all ones
// except the sign, for f64 0xfff8000000000000.
std::uint64_t round_to(const ExactNumber& number, FloatFormat format, ptx::Rounding rounding);

// Rounds to an integer by rni, rzi, rmi or rpi. Infinity, NaN and integers are unchanged.
ExactNumber round_to_integral(const ExactNumber& number, ptx::Rounding rounding);

// The operands must be results of unpack() of at most 53 significant bits. `rounding` decides the sign of an exact zero
// sum. Invalid operations give NaN.
ExactNumber exact_fma(const ExactNumber& a, const ExactNumber& b, const ExactNumber& c, ptx::Rounding rounding);
ExactNumber exact_quotient(const ExactNumber& a, const ExactNumber& b);
ExactNumber exact_root(const ExactNumber& a);

}  // namespace lanescope::sim
