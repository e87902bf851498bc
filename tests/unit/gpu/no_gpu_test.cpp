#include "gpu/gpu.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/program.h"

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
  device.memory_clock_khz = 3'201'000;  // an H200 has 6144 bits
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

// The program with another file in place of the driver.
test::Ran verify_with_driver(const std::filesystem::path& folder) {
  return test::lanescope({"verify", "coalescing"}, {.environment = "LD_LIBRARY_PATH=" + test::quoted(folder.string())});
}

TEST(Gpu, AnOlderDriverIsNamedAsSuch) {
  // A library without any of the functions, as a driver older than them.
  const test::TempFolder folder;
  std::filesystem::path library;
  for (const char* place : {"/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"})
    if (std::filesystem::exists(place)) library = place;
  if (library.empty()) GTEST_SKIP() << "no library to stand in for a driver";
  std::filesystem::create_symlink(library, folder / "libcuda.so.1");
  const test::Ran ran = verify_with_driver(folder / "");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("it is too old for this program"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("cure: Update the NVIDIA driver"), std::string::npos) << ran.err;
}

TEST(Gpu, ADriverThatIsNoLibraryIsNone) {
  if (std::filesystem::exists("/usr/local/nvidia/lib64/libcuda.so.1")) GTEST_SKIP() << "a driver in a second place";
  const test::TempFolder folder;
  std::ofstream(folder / "libcuda.so.1") << "not a library";
  if (devices().ok()) GTEST_SKIP() << "the loader goes on to the true driver";
  const test::Ran ran = verify_with_driver(folder / "");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("There is no NVIDIA driver"), std::string::npos) << ran.err;
}

}  // namespace lanescope::gpu
