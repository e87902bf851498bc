#pragma once
// IEEE 754 binary16 conversions for checks and arguments.

#include <cstdint>

namespace lanescope {

// Rounds to nearest, ties to even. Overflow gives infinity; NaN stays NaN.
std::uint16_t half_bits(double value);
// Exact.
double half_value(std::uint16_t bits);

}  // namespace lanescope
