#pragma once
// f64 arithmetic with a directed rounding, done by the processor itself. Gives the same as round_to(exact_…). x86-64
// only.

#if defined(__x86_64__)

#include <cstdint>

#include "ptx/instruction.h"
#include "sim/alu/operation.h"

namespace lanescope::sim {

// While this object exists, the processor rounds in that direction. During that time only the functions below may be
// called: the compiler assumes that every other operation rounds to nearest, and may move it.
class DirectedMode {
 public:
  DirectedMode(const DirectedMode&) = delete;
  DirectedMode& operator=(const DirectedMode&) = delete;

  // `rounding` is rn, rz, rm or rp. Subnormal numbers are not flushed, and no exception traps.
  explicit DirectedMode(ptx::Rounding rounding) {
    __asm__ volatile("stmxcsr %0" : "=m"(before_));
    const std::uint32_t direction = rounding == ptx::Rounding::rm   ? 1u
                                    : rounding == ptx::Rounding::rp ? 2u
                                    : rounding == ptx::Rounding::rz ? 3u
                                                                    : 0u;
    const std::uint32_t now = 0x1f80u | direction << 13;
    __asm__ volatile("ldmxcsr %0" : : "m"(now));
  }
  ~DirectedMode() { __asm__ volatile("ldmxcsr %0" : : "m"(before_)); }

  double add(double a, double b) const {
    __asm__ volatile("addsd %1, %0" : "+x"(a) : "x"(b));
    return a;
  }
  double sub(double a, double b) const {
    __asm__ volatile("subsd %1, %0" : "+x"(a) : "x"(b));
    return a;
  }
  double mul(double a, double b) const {
    __asm__ volatile("mulsd %1, %0" : "+x"(a) : "x"(b));
    return a;
  }
  double div(double a, double b) const {
    __asm__ volatile("divsd %1, %0" : "+x"(a) : "x"(b));
    return a;
  }
  double sqrt(double a) const {
    double root;
    __asm__ volatile("sqrtsd %1, %0" : "=x"(root) : "x"(a));
    return root;
  }
  // Not available on the baseline instruction set.
  double fma(double a, double b, double c) const {
    __asm__ volatile("vfmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
    return a;
  }

 private:
  std::uint32_t before_ = 0;
};

}  // namespace lanescope::sim
#endif
