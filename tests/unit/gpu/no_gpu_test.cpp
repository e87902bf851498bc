#include "gpu/gpu.h"

#include <gtest/gtest.h>

namespace lanescope::gpu {

// With or without a GPU: an answer, or a Diagnostic that says what to do. Never a crash.
TEST(Gpu, DevicesOrAReasonWithACure) {
  const auto found = devices();
  if (found.ok()) {
    ASSERT_FALSE(found->empty());
    EXPECT_FALSE(found->front().name.empty());
    EXPECT_GE(found->front().major, 5);
    return;
  }
  for (const Diagnostic& error : found.errors()) {
    EXPECT_EQ(error.code.rfind("gpu.", 0), 0u) << error.code;
    EXPECT_FALSE(error.cure.empty());
  }
}

TEST(Gpu, PeakBandwidthIsTwiceTheClockTimesTheBus) {
  Device device;
  device.memory_clock_khz = 3'201'000;  // an H200: 6144 bits wide
  device.memory_bus_bits = 6144;
  EXPECT_NEAR(device.peak_bandwidth() / 1e12, 4.917, 0.001);
  device.major = 9;
  EXPECT_EQ(device.arch(), "sm_90");
}

TEST(Gpu, OpeningASessionWithoutAGpuSaysWhy) {
  if (devices().ok()) GTEST_SKIP() << "this machine has a GPU";
  const auto session = Session::open(0);
  ASSERT_FALSE(session.ok());
  EXPECT_FALSE(session.errors().front().cure.empty());
}

}  // namespace lanescope::gpu
