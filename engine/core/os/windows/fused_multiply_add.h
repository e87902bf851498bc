#pragma once

namespace lanescope {

// a * b + c, rounded once, to nearest with ties to even; IEEE 754's results for infinities, NaN and zeros. For
// processors without an instruction for it.
double fma_by_integers(double a, double b, double c);
float fma_by_integers(float a, float b, float c);

}  // namespace lanescope
