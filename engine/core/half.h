#pragma once
// Conversions of IEEE 754 binary16 and of bfloat16, for checks and arguments.

#include <cstdint>

namespace lanescope {

// Rounds to nearest, ties to even. Overflow gives infinity; NaN stays NaN.
std::uint16_t half_bits(double value);
// Exact.
double half_value(std::uint16_t bits);

// The same for bfloat16, the upper half of a float.
std::uint16_t bfloat_bits(double value);
double bfloat_value(std::uint16_t bits);

}  // namespace lanescope
