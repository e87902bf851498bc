#include "gpu/worker.h"

#include <unistd.h>

#include <chrono>

#include <gtest/gtest.h>

#include "gpu/message.h"

namespace lanescope::gpu {
namespace {

TEST(GpuMessage, ArgumentsSurviveTheWire) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::vector<Argument> sent{{.is_buffer = true, .bytes = {std::byte{0}, std::byte{255}, std::byte{7}}, .base_offset = 2, .passed = false},
                                   {.is_buffer = false, .bytes = {std::byte{42}}}};
  ASSERT_TRUE(send(ends[1], to_message(sent)));
  const auto got = receive(ends[0]);
  ASSERT_TRUE(got);
  const std::vector<Argument> back = arguments_from(*got);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].bytes, sent[0].bytes);
  EXPECT_TRUE(back[0].is_buffer);
  EXPECT_EQ(back[0].base_offset, 2u);
  EXPECT_FALSE(back[0].passed);
  EXPECT_EQ(back[1].bytes, sent[1].bytes);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(GpuMessage, TimingIsRestoredWithItsInterval) {
  Timing timing;
  timing.samples = {3e-6, 1e-6, 2e-6};
  timing.discarded = 16;
  timing.stop_reason = "time limit";
  const Timing back = timing_from(to_message(timing));
  EXPECT_EQ(back.samples, timing.samples);
  EXPECT_DOUBLE_EQ(back.seconds.median, 2e-6);
  EXPECT_EQ(back.discarded, 16u);
}

TEST(GpuMessage, AClosedOrBrokenPipeIsNoMessage) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::uint64_t length = 3;
  ASSERT_EQ(::write(ends[1], &length, sizeof length), static_cast<ssize_t>(sizeof length));
  ASSERT_EQ(::write(ends[1], "\xff\xff\xff", 3), 3);
  EXPECT_FALSE(receive(ends[0]));
  ::close(ends[1]);
  EXPECT_FALSE(receive(ends[0]));
  ::close(ends[0]);
}

TEST(GpuWorker, AProgramThatEndsAtOnceIsALostWorker) {
  const auto session = open_in_worker({"/bin/true"}, 0);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.errors().front().code, "gpu.worker_lost");
  EXPECT_FALSE(session.errors().front().cure.empty());
}

TEST(GpuWorker, AProgramThatIsNotThereIsADiagnostic) {
  EXPECT_FALSE(open_in_worker({"/no/such/program"}, 0).ok());
}

// A program that reads its input and never answers.
const std::vector<std::string> silent{"/bin/sh", "-c", "cat > /dev/null"};

TEST(GpuWorker, ARequestThatNobodyWantsAnyMoreEndsSoon) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const auto at_once = open_in_worker(silent, 0, [] { return Wish::end_now; });
  ASSERT_FALSE(at_once.ok());
  EXPECT_EQ(at_once.errors().front().code, "gpu.cancelled");
  const auto looked = devices_in_worker(silent, [] { return Wish::end_now; });
  ASSERT_FALSE(looked.ok());
  EXPECT_EQ(looked.errors().front().code, "gpu.cancelled");
  EXPECT_LT(seconds(), 2);
  const auto soon = open_in_worker(silent, 0, [] { return Wish::end_soon; });
  ASSERT_FALSE(soon.ok());
  EXPECT_EQ(soon.errors().front().code, "gpu.cancelled");
  EXPECT_LT(seconds(), 8);
}

TEST(GpuWorker, DevicesOfAProgramThatEndsAtOnceAreALostWorker) {
  const auto looked = devices_in_worker({"/bin/true"});
  ASSERT_FALSE(looked.ok());
  EXPECT_EQ(looked.errors().front().code, "gpu.worker_lost");
}

TEST(GpuWorker, ServesUntilItsInputClosesAndSurvivesNonsense) {
  int down[2], up[2];
  ASSERT_EQ(::pipe(down), 0);
  ASSERT_EQ(::pipe(up), 0);
  ASSERT_TRUE(send(down[1], {{"do", "sing"}}));
  ASSERT_TRUE(send(down[1], {{"do", "open"}}));  // the device is missing
  ::close(down[1]);
  EXPECT_EQ(serve(down[0], up[1]), 0);
  for (int answers = 0; answers < 2; ++answers) {
    const auto answer = receive(up[0]);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->contains("errors"));
  }
  for (const int end : {down[0], up[0], up[1]}) ::close(end);
}

}  // namespace
}  // namespace lanescope::gpu
