// std::fma against the processor's instruction.

#include "core/os/windows/fused_multiply_add.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace lanescope {
namespace {

__attribute__((target("fma"))) double processors(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
__attribute__((target("fma"))) float processors(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

template <typename Float>
void expect_same(Float a, Float b, Float c) {
  using Bits = std::conditional_t<sizeof(Float) == 8, std::uint64_t, std::uint32_t>;
  const Float wanted = processors(a, b, c), integers = fma_by_integers(a, b, c), library = std::fma(a, b, c);
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(integers) && std::isnan(library)) << a << " * " << b << " + " << c;
    return;
  }
  EXPECT_EQ(std::bit_cast<Bits>(integers), std::bit_cast<Bits>(wanted)) << a << " * " << b << " + " << c;
  EXPECT_EQ(std::bit_cast<Bits>(library), std::bit_cast<Bits>(wanted)) << a << " * " << b << " + " << c;
}

template <typename Float, typename Bits>
void try_all_sorts(int digits) {
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor has no such instruction";
  using Limits = std::numeric_limits<Float>;
  const std::vector<Float> special{0,
                                   1,
                                   Float(1.5),
                                   Limits::min(),
                                   Limits::denorm_min(),
                                   Limits::max(),
                                   Limits::epsilon(),
                                   1 + Limits::epsilon(),
                                   Limits::infinity(),
                                   Limits::quiet_NaN()};
  for (const Float a : special)
    for (const Float b : special)
      for (const Float c : special)
        for (int signs = 0; signs < 8; ++signs) expect_same(signs & 1 ? -a : a, signs & 2 ? -b : b, signs & 4 ? -c : c);
  std::mt19937_64 random(22);
  const auto any = [&] { return std::bit_cast<Float>(static_cast<Bits>(random())); };
  const auto near = [&](int reach) {
    return std::ldexp(static_cast<Float>(static_cast<std::int64_t>(random())),
                      -63 + static_cast<int>(random() % static_cast<unsigned>(reach)) - reach / 2);
  };
  for (int i = 0; i < 100'000 && !testing::Test::HasFailure(); ++i) {
    expect_same(any(), any(), any());  // mostly of different sizes
    const Float a = near(8), b = near(8);
    expect_same(a, b, near(3 * digits));                         // one reaches into the other's digits
    expect_same(a, b, -(a * b));                                 // only the rounding error is left
    expect_same(a * Limits::min(), b, near(4) * Limits::min());  // a subnormal sum
    // Ties: half a unit beside a number of few digits.
    const Float few = std::ldexp(static_cast<Float>(random() % 1024 + 1), static_cast<int>(random() % 8));
    expect_same(few, Float(1), std::ldexp(few, -digits));
    expect_same(few, 1 + Limits::epsilon(), std::ldexp(few, -digits));
  }
}

TEST(FusedMultiplyAdd, RoundsOnceInDoublePrecision) {
  try_all_sorts<double, std::uint64_t>(53);
}

TEST(FusedMultiplyAdd, RoundsOnceInSinglePrecision) {
  try_all_sorts<float, std::uint32_t>(24);
}

}  // namespace
}  // namespace lanescope
