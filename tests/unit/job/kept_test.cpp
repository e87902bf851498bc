// A launch of a program as a run: its numbers, its values at a step, and the last writer.

#include "job/run/kept.h"

#include <gtest/gtest.h>

#include <cstring>

#include "device/saved_run_reader.h"
#include "golden.h"
#include "job/replay/last_writer.h"
#include "job/replay/names.h"
#include "job/replay/origins.h"
#include "job/replay/step_values.h"
#include "unit/device/saved_program.h"

namespace lanescope::job {
namespace {

class KeptTest : public testing::Test {
 protected:
  test::TempFolder folder_;
  std::shared_ptr<const device::SavedRun> run_;

  void SetUp() override {
    auto run = device::SavedRun::open(device_test::save_three_launches(folder_.path()));
    ASSERT_TRUE(run.ok());
    run_ = *run;
  }
  Outcome outcome_of(std::size_t index) {
    auto launch = run_->launch(index);
    EXPECT_TRUE(launch.ok());
    Request request = request_of(*launch);
    request.record.events = true;
    return run(request);
  }
};

float element(const Outcome& outcome, std::size_t argument, std::size_t index) {
  float value = 0;
  std::memcpy(&value, outcome.arguments.at(argument).contents.data() + 4 * index, 4);
  return value;
}

TEST_F(KeptTest, ItsArgumentsAreTheParametersWithTheirNames) {
  const Outcome outcome = outcome_of(0);
  ASSERT_TRUE(outcome.completed);
  ASSERT_EQ(outcome.request.arguments.size(), 4u);
  EXPECT_EQ(outcome.request.arguments[0].text(), "f32[1000]");
  EXPECT_EQ(outcome.request.arguments[3].text(), "u32=1000");
  EXPECT_EQ(argument_name(outcome.request, 2), "c");
  EXPECT_EQ(outcome.request.source.text, device_test::add_source);
  ASSERT_EQ(outcome.buffers.size(), 3u);
  EXPECT_EQ(outcome.buffers[2].sum, 499500.0 + 500.0);  // Σ i + 1000 · 0.5
}

TEST_F(KeptTest, EachRunBeginsAnew) {
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(element(outcome_of(0), 2, 7), 7.5f);
    EXPECT_EQ(element(outcome_of(2), 2, 7), 1000.5f);
  }
}

TEST_F(KeptTest, ValuesOfAStepAndWhoWroteLastAreThoseOfTheLaunch) {
  const Outcome outcome = outcome_of(2);
  for (int again = 0; again < 2; ++again) {  // earlier questions change nothing
    const auto writer = last_writer(outcome, 2, 7);
    ASSERT_TRUE(writer.ok()) << format(writer.errors().front());
    ASSERT_TRUE(writer.value().has_value());
    const Writer& wrote = **writer;
    EXPECT_EQ(wrote.line, 5);
    EXPECT_EQ(wrote.block, 0u);
    EXPECT_EQ(wrote.thread, 7u);
    ASSERT_EQ(wrote.values.access.size(), 1u);
    EXPECT_EQ(wrote.values.access[0].elements[0].names[7], "c[7]");
    float value = 0;
    std::memcpy(&value, &wrote.values.access[0].elements[0].after[7], 4);
    EXPECT_EQ(value, 1000.5f);
    // The third launch starts from what the second left.
    std::memcpy(&value, &wrote.values.access[0].elements[0].before[7], 4);
    EXPECT_EQ(value, 7.5f);
    const auto from = origins(outcome, 1, wrote.values.step, 7);
    ASSERT_TRUE(from.ok()) << format(from.errors().front());
  }
  const auto named = find_element(outcome, "c[7]");
  ASSERT_TRUE(named.ok());
  EXPECT_EQ(named->argument, 2);
  EXPECT_EQ(find_element(outcome, "c[1000]").ok(), false);
}

TEST_F(KeptTest, ARaceIsLookedForWhereTheLaunchIsSmall) {
  auto launch = run_->launch(0);
  Request request = request_of(*launch);
  request.races_if_small = true;
  const Outcome outcome = run(request);
  EXPECT_TRUE(outcome.first().races.looked);
  EXPECT_FALSE(outcome.race_found());
}

}  // namespace
}  // namespace lanescope::job
