#include "core/half.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace lanescope {

TEST(Half, EveryValueReadsBackAsItself) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = half_value(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(half_bits(value), bits);
  }
}

// Two neighbouring halves enclose the value. The nearer one must be taken; on a tie, the even one.
TEST(Half, RoundsToNearestEven) {
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const double low = half_value(bits), high = half_value(next), middle = (low + high) / 2;
    EXPECT_EQ(half_bits(middle), bits % 2 == 0 ? bits : next);
    EXPECT_EQ(half_bits(std::nextafter(middle, low)), bits);
    EXPECT_EQ(half_bits(std::nextafter(middle, high)), next);
    EXPECT_EQ(half_bits(-middle), (bits % 2 == 0 ? bits : next) | 0x8000);
  }
}

TEST(Half, HandlesTheEdges) {
  EXPECT_EQ(half_bits(65504), 0x7bff);
  EXPECT_EQ(half_bits(65519.99), 0x7bff);
  EXPECT_EQ(half_bits(65520), 0x7c00);
  EXPECT_EQ(half_bits(1e300), 0x7c00);
  EXPECT_EQ(half_bits(-std::numeric_limits<double>::infinity()), 0xfc00);
  EXPECT_EQ(half_bits(-0.0), 0x8000);
  EXPECT_EQ(half_bits(1e-300), 0);
  EXPECT_EQ(half_value(half_bits(2048 + 1)), 2048);
  EXPECT_TRUE(std::isnan(half_value(half_bits(std::numeric_limits<double>::quiet_NaN()))));
}

// A bfloat16 is the upper half of a float, so the neighbours and their middle are floats of known bits.
TEST(Bfloat, RoundsToNearestEven) {
  for (std::uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const double low = std::bit_cast<float>(bits << 16), middle = std::bit_cast<float>(bits << 16 | 0x8000);
    const auto kept = static_cast<std::uint16_t>(bits), next = static_cast<std::uint16_t>(bits + 1);
    ASSERT_EQ(bfloat_value(kept), low);
    ASSERT_EQ(bfloat_bits(low), kept);
    ASSERT_EQ(bfloat_bits(middle), bits % 2 == 0 ? kept : next);
    ASSERT_EQ(bfloat_bits(std::nextafter(middle, 0)), kept);
    ASSERT_EQ(bfloat_bits(std::nextafter(middle, 1e300)), next);
    ASSERT_EQ(bfloat_bits(-middle), bfloat_bits(middle) | 0x8000);
  }
  EXPECT_EQ(bfloat_bits(1), 0x3f80);
  EXPECT_EQ(bfloat_bits(1e300), 0x7f80);
  EXPECT_EQ(bfloat_bits(-std::numeric_limits<double>::infinity()), 0xff80);
  EXPECT_EQ(bfloat_bits(-0.0), 0x8000);
  EXPECT_EQ(bfloat_bits(1e-300), 0);
  EXPECT_TRUE(std::isnan(bfloat_value(bfloat_bits(std::numeric_limits<double>::quiet_NaN()))));
}

}  // namespace lanescope
