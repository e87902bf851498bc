// What long commands say where standard error is not a terminal.

#include "cli/output/waiting.h"

#include <thread>

#include <gmock/gmock.h>

#include "core/os/environment.h"

namespace lanescope::cli {
namespace {

TEST(WaitingLine, ALogSaysWhatGoesOn) {
  testing::internal::CaptureStderr();
  if (errors_go_to_a_terminal()) {
    testing::internal::GetCapturedStderr();
    GTEST_SKIP() << "standard error is a terminal";
  }
  int asked = 0;
  {
    const Waiting waiting([&asked] { return Wording(++asked == 1 ? "first" : "later"); }, std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, testing::StartsWith("first\nlater\n"));
  EXPECT_LT(asked, 10) << "each line comes after twice as long";
}

TEST(WaitingLine, AShortCommandSaysNothing) {
  testing::internal::CaptureStderr();
  {
    const Waiting waiting([] { return Wording("working"); });
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace lanescope::cli
