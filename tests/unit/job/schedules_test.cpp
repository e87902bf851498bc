// Many legal orders: what varies, what does not, and that a seed determines an order.

#include "job/run/schedules.h"

#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "golden.h"
#include "job/lesson/lesson_request.h"
#include "job/request/directives.h"
#include "job/run/numbers.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

std::vector<DirectedRun> runs_of(const char* name) {
  Result<std::vector<DirectedRun>> runs = directed_runs(name, test::read_file(test::case_path(name)));
  if (!runs) ADD_FAILURE() << format(runs.errors().front());
  return runs ? std::move(*runs) : std::vector<DirectedRun>{};
}

Request litmus(const char* name, const std::string& kernel) {
  for (DirectedRun& one : runs_of(name))
    if (one.request.first().kernel == kernel) return std::move(one.request);
  ADD_FAILURE() << name << " has no kernel " << kernel;
  return {};
}

TEST(Schedules, AMissingBarrierGivesDifferentResults) {
  const ScheduleReport report = run_schedules(litmus("races/barriers.cu", "reduce_without_barrier"), nullptr, 16);
  EXPECT_EQ(report.done, 16u);
  EXPECT_GT(report.results.size(), 1u);
  ASSERT_TRUE(report.race_found());
  EXPECT_EQ(report.races.front().seed, 0u) << "found by order, before anything went wrong";
  EXPECT_EQ(report.races.front().race.cure, sim::RaceCure::block);
  EXPECT_EQ(report.verdict(), ScheduleVerdict::racing);
  // Both accesses have a place, and are described in both languages.
  const ScheduleRace& race = report.races.front();
  EXPECT_GT(race.text.first_place.line, 0);
  EXPECT_NE(race.text.first.find(fmt::format("line {}", race.text.first_place.line)), std::string::npos)
      << race.text.first;
  EXPECT_NE(race.text.second.find(fmt::format("line {}", race.text.second_place.line)), std::string::npos)
      << race.text.second;
  EXPECT_NE(race.chinese.first.find(fmt::format("第 {} 行", race.chinese.first_place.line)), std::string::npos)
      << race.chinese.first;
  EXPECT_NE(race.chinese.cure.find("__syncthreads()"), std::string::npos);
  // The reported differences from the standard order are real: the hashes differ too.
  const auto standard = std::ranges::find(report.results, 0u, &ScheduleResult::first_seed);
  ASSERT_NE(standard, report.results.end());
  EXPECT_TRUE(standard->differences.empty());
  for (const ScheduleResult& result : report.results) {
    if (result.error || &result == &*standard) continue;
    ASSERT_FALSE(result.differences.empty());
    for (const ScheduleDifference& one : result.differences) {
      EXPECT_NE(one.value, one.standard);
      EXPECT_GT(one.elements, 0u);
      EXPECT_NE(result.buffers[static_cast<std::size_t>(one.argument)].hash,
                standard->buffers[static_cast<std::size_t>(one.argument)].hash);
    }
  }
}

// Compares the reported differences with two runs of our own.
TEST(Schedules, DifferencesAreThoseOfTheRuns) {
  const Request request = litmus("races/barriers.cu", "one_barrier_a_turn");
  const Outcome standard = run(request);
  ASSERT_TRUE(standard.completed);
  bool several = false;
  for (const ScheduleResult& result : run_schedules(request, nullptr, 12).results) {
    if (result.first_seed == 0 || result.error) continue;
    Request again = request;
    again.schedule_seed = result.first_seed;
    const Outcome other = run(again);
    ASSERT_EQ(result.differences.size(), 1u) << "the one buffer that is written";
    const ScheduleDifference& said = result.differences.front();
    ASSERT_EQ(said.argument, 0);
    std::vector<std::uint64_t> parted;
    for (std::int64_t i = 0; i < 128; ++i)
      if (element_of(standard.arguments[0], i) != element_of(other.arguments[0], i))
        parted.push_back(static_cast<std::uint64_t>(i));
    ASSERT_FALSE(parted.empty());
    EXPECT_EQ(said.elements, parted.size());
    EXPECT_EQ(said.first, parted.front());
    EXPECT_EQ(said.value, element_of(other.arguments[0], static_cast<std::int64_t>(parted.front())));
    EXPECT_EQ(said.standard, element_of(standard.arguments[0], static_cast<std::int64_t>(parted.front())));
    several = several || parted.size() > 1;
  }
  EXPECT_TRUE(several) << "else first and last are one";
}

// A race may give the same result each time. Without a race and without atomics, the result must be the same.
TEST(Schedules, TheVerdictTellsLuckFromOrder) {
  ScheduleReport report;
  EXPECT_EQ(report.verdict(), ScheduleVerdict::nothing);
  report.results.resize(1);
  EXPECT_EQ(report.verdict(), ScheduleVerdict::ordered);
  report.complete = false;
  EXPECT_EQ(report.verdict(), ScheduleVerdict::unwatched);
  report.complete = true;
  report.races.resize(1);
  report.races[0].race.kind = sim::RaceKind::same_value;
  EXPECT_EQ(report.verdict(), ScheduleVerdict::ordered) << "a note accuses nobody";
  report.races[0].race.kind = sim::RaceKind::read_write;
  EXPECT_EQ(report.verdict(), ScheduleVerdict::lucky);
  report.results.resize(2);
  EXPECT_EQ(report.verdict(), ScheduleVerdict::racing);
  report.races.clear();
  EXPECT_EQ(report.verdict(), ScheduleVerdict::atomics);
  report.results[1].error = Diagnostic{};
  EXPECT_EQ(report.verdict(), ScheduleVerdict::failing);
}

TEST(Schedules, LanesThatNobodyMakesWaitGetAhead) {
  const ScheduleReport report = run_schedules(litmus("races/warps.cu", "last_warp_in_step"), nullptr, 40);
  EXPECT_GT(report.results.size(), 1u);
  EXPECT_TRUE(report.race_found());
}

TEST(Schedules, WhatIsOrderedComesOutTheSame) {
  for (const char* kernel :
       {"two_barriers_a_turn", "two_buffers", "shift_through_a_register", "arrive_then_wait", "barrier_with_a_vote"}) {
    const ScheduleReport report = run_schedules(litmus("races/barriers.cu", kernel), nullptr, 12);
    EXPECT_EQ(report.results.size(), 1u) << kernel;
    EXPECT_FALSE(report.results.front().error) << kernel;
    EXPECT_FALSE(report.race_found()) << kernel;
    EXPECT_TRUE(report.complete) << kernel;
  }
  for (const char* kernel : {"to_and_fro", "last_block", "handed_on", "under_a_lock", "flag_fenced"}) {
    const ScheduleReport report = run_schedules(litmus("races/blocks.cu", kernel), nullptr, 12);
    EXPECT_FALSE(report.race_found()) << kernel;
    for (const ScheduleResult& result : report.results)
      EXPECT_FALSE(result.error) << kernel << ": " << format(*result.error);
    EXPECT_EQ(report.results.size(), 1u) << kernel;
  }
}

// The corpus gives the same results in every order.
TEST(Schedules, TheCorpusDoesNotDependOnTheOrder) {
  for (const test::Case& file : test::cases("corpus", ".cu"))
    for (const DirectedRun& one : runs_of(("corpus/" + file.path.filename().string()).c_str())) {
      const ScheduleReport report = run_schedules(one.request, nullptr, 5);
      EXPECT_EQ(report.results.size(), 1u) << one.request.first().kernel;
      EXPECT_FALSE(report.results.front().error)
          << one.request.first().kernel << ": " << format(*report.results.front().error);
      EXPECT_FALSE(report.race_found()) << one.request.first().kernel;
    }
}

// Every lesson, at its smallest size if that is a control: a correct variant gives the same result in every order, and
// no two of its accesses lack an order.
TEST(Schedules, NoVariantThatIsRightIsAccused) {
  int judged = 0;
  for (const lesson::Lesson& lesson : lesson::load_library(LANESCOPE_SOURCE_DIR "/lessons").lessons)
    for (const lesson::Variant& variant : lesson.variants) {
      if (variant.gpu_only || variant.broken_on_purpose) continue;
      lesson::ControlValues controls;
      for (const lesson::Control& control : lesson.controls)
        if (control.name == "n" || control.name == "per_batch") controls[control.name] = control.min;
      std::erase_if(controls, [&](const auto& control) {
        return std::ranges::find(variant.controls, control.first) == variant.controls.end();
      });
      const Result<Request> request = from_lesson(lesson, variant, controls);
      ASSERT_TRUE(request.ok()) << variant.id << ": " << format(request.errors().front());
      const ScheduleReport report = run_schedules(*request, &variant, 3);
      const std::string which = lesson.id + ", " + variant.id;
      EXPECT_EQ(report.done, 3u) << which;
      EXPECT_TRUE(report.complete) << which << ": not everything was watched";
      EXPECT_FALSE(report.race_found()) << which << ": "
                                        << (report.races.empty() ? "" : report.races.front().text.first);
      for (const ScheduleResult& result : report.results)
        EXPECT_FALSE(result.error) << which << ": " << format(*result.error);
      EXPECT_TRUE(report.verdict() == ScheduleVerdict::ordered || report.verdict() == ScheduleVerdict::atomics)
          << which;
      ++judged;
    }
  EXPECT_GE(judged, 48);
}

TEST(Schedules, TheBrokenVariantOfTheSecondLessonIsFound) {
  const Result<lesson::Lesson> lesson = lesson::load(LANESCOPE_SOURCE_DIR "/lessons/02_divergence");
  ASSERT_TRUE(lesson.ok());
  const lesson::Variant& variant = *lesson->find_variant("reduce_missing_barrier");
  const ScheduleReport report = run_schedules(*from_lesson(*lesson, variant, {}), &variant, 3);
  EXPECT_EQ(report.verdict(), ScheduleVerdict::racing);
  ASSERT_TRUE(report.race_found());
  EXPECT_EQ(report.races.front().race.cure, sim::RaceCure::block);
}

const char* const float_sum = R"(
__global__ void add_up(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}
)";

Request float_sum_request() {
  Request request;
  request.source = {"sum.cu", float_sum, {}};
  request.first().kernel = "add_up";
  request.first().shape.grid = {4, 1, 1};
  request.first().shape.block = {64, 1, 1};
  request.arguments = {{"f32[256]=random:5", "in"}, {"f32[1]=0", "out"}, {"i32=256", "n"}};
  return request;
}

TEST(Schedules, FloatAtomicsSpreadWithoutARace) {
  const ScheduleReport report = run_schedules(float_sum_request(), nullptr, 16);
  EXPECT_FALSE(report.race_found());
  EXPECT_TRUE(report.races.empty());
  EXPECT_EQ(report.verdict(), ScheduleVerdict::atomics);
  EXPECT_GT(report.results.size(), 1u);
  ASSERT_EQ(report.spreads.size(), 1u);
  const BufferSpread& spread = report.spreads.front();
  EXPECT_EQ(spread.name, "out");
  EXPECT_LT(spread.lowest, spread.highest);
  double sum = 0;
  for (std::uint64_t k = 0; k < 256; ++k) {  // what random:5 is
    sim::Argument one = *make_argument({"f32[256]=random:5", ""});
    float value;
    std::memcpy(&value, one.contents.data() + k * 4, 4);
    sum += value;
  }
  ASSERT_TRUE(spread.reference);
  EXPECT_EQ(*spread.reference, sum);
  EXPECT_EQ(spread.reference_name, "in");
  // Each partial sum is rounded by at most half a unit in the last place of 256, far less than the tolerance here.
  EXPECT_NEAR(spread.lowest, sum, 256 * 256 * 0x1p-24);
  EXPECT_NEAR(spread.highest, sum, 256 * 256 * 0x1p-24);
}

TEST(Schedules, ASeedIsAnOrderWhateverTheThreads) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u}) {
    std::string hash;
    for (const int threads : {1, 4}) {
      for (const bool events : {false, true}) {
        Request request = float_sum_request();
        request.schedule_seed = seed;
        request.threads = threads;
        request.record.events = events;
        const Outcome outcome = run(request);
        ASSERT_TRUE(outcome.completed);
        if (hash.empty()) hash = outcome.buffers[1].hash;
        EXPECT_EQ(outcome.buffers[1].hash, hash) << "seed " << seed << ", threads " << threads;
      }
    }
  }
}

TEST(Schedules, CancellingEndsThem) {
  sim::Progress progress;
  const ScheduleReport report = run_schedules(float_sum_request(), nullptr, 50, &progress, [&](std::uint32_t done) {
    if (done == 3) progress.cancel = true;
  });
  EXPECT_EQ(report.done, 3u);
}

}  // namespace
}  // namespace lanescope::job
