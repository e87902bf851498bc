// What a run costs more when the GPU is behind ssh, with a worker that is warm, as the window has it. Needs a host that
// `ssh HOST true` reaches without a prompt, best this machine itself:
//   LANESCOPE_SSH=HOST build/release/lanescope_tests --gtest_filter='WarmElsewhere.*'
// LANESCOPE_WORKER names the program there.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/os/clock.h"
#include "core/os/environment.h"
#include "gpu/worker.h"
#include "job/lesson/lesson_request.h"
#include "job/witness/gpu_report.h"
#include "lesson/lesson.h"
#include "test_paths.h"

namespace lanescope::gpu {
namespace {

// From the request to the numbers: interpreter and GPU.
double seconds_of_a_run(const job::Request& request, Session& session) {
  const auto begin = std::chrono::steady_clock::now();
  const job::Outcome interpreted = job::run(request);
  EXPECT_TRUE(interpreted.completed);
  const Result<job::GpuReport> report = job::run_with_witnesses(interpreted, session, {});
  EXPECT_TRUE(report.ok()) << format(report.errors().front());
  return seconds_since(begin);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

TEST(WarmElsewhere, ARunCostsATenthOfASecondMoreAtMost) {
  const std::optional<std::string> host = value_of_variable("LANESCOPE_SSH");
  if (!host) GTEST_SKIP() << "LANESCOPE_SSH names no host";
  const lesson::Lesson lesson = *lesson::load(LANESCOPE_SOURCE_DIR "/lessons/01_coalescing");
  const Result<job::Request> request = job::from_lesson(lesson, lesson.variants.front(), {});
  ASSERT_TRUE(request.ok());
  const auto here = open_in_worker({LANESCOPE_BINARY, "gpu-worker"}, 0);
  if (!here) GTEST_SKIP() << format(here.errors().front());
  const auto connecting = std::chrono::steady_clock::now();
  const auto there = open_elsewhere(*where_from("ssh:" + *host), 0);
  ASSERT_TRUE(there.ok()) << format(there.errors().front());
  const double connected = seconds_since(connecting);
  std::vector<double> local, remote;
  for (int turn = 0; turn < 12; ++turn) {  // the first loads and compiles
    const double one = seconds_of_a_run(*request, **here), other = seconds_of_a_run(*request, **there);
    if (turn == 0) continue;
    local.push_back(one);
    remote.push_back(other);
  }
  std::printf("connecting %.3f s; a run here %.3f s, there %.3f s: medians of %zu, in turns\n", connected,
              median(local), median(remote), local.size());
  EXPECT_LT(median(remote) - median(local), 0.1);
}

}  // namespace
}  // namespace lanescope::gpu
