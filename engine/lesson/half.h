#pragma once
// IEEE 754 binary16 as the checks and arguments need it: written values in, shown values out.

#include <cstdint>

namespace lanescope::lesson {

// Round to nearest, ties to even; overflow gives infinity, NaN stays a NaN.
std::uint16_t half_bits(double value);
// Exact.
double half_value(std::uint16_t bits);

}  // namespace lanescope::lesson
