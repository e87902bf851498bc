// What a run needs from a GPU elsewhere when its worker is warm, as the window has it: no connection, and no buffer
// that both ends have. Counted, since a time says nothing on a busy machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "compile/toolchain.h"
#include "core/os/clock.h"
#include "core/os/environment.h"
#include "golden.h"
#include "gpu/wire_ends.h"
#include "gpu/worker.h"
#include "job/lesson/lesson_request.h"
#include "job/witness/gpu_report.h"
#include "lesson/lesson.h"
#include "test_paths.h"

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;

// `ssh` is a script that starts the worker here, and keeps what goes through the connection.
class WarmElsewhere : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path driver = LANESCOPE_PRETENDED "/driver";
    test::write_file(folder_ / "ssh", "#!/bin/sh\ncd '" + folder_.path().string() +
                                          "'\necho connected >>connections\ntee -a sent | LD_LIBRARY_PATH='" +
                                          driver.string() + "' " + LANESCOPE_BINARY + " worker | tee -a returned\n");
    fs::permissions(folder_ / "ssh", fs::perms::owner_all);
  }
  std::string connections() const { return test::read_file(folder_ / "connections"); }
  std::uint64_t travelled() const { return fs::file_size(folder_ / "sent") + fs::file_size(folder_ / "returned"); }

  test::TempFolder folder_;
  const ScopedVariable path_{"PATH", folder_.path().string() + ":/usr/bin:/bin"};
};

constexpr const char* adds =
    "__global__ void adds(float* all, const float* other) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
    "  all[i] = all[i] + other[i];\n"
    "}\n";

TEST_F(WarmElsewhere, ARunNeitherConnectsNorSendsItsBuffersAgain) {
  if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
  const Bytes contents = test::noise(4u << 20, 1);
  test::write_file(folder_ / "contents", {reinterpret_cast<const char*>(contents.data()), contents.size()});
  job::Request request;
  request.source = {"adds.cu", adds, {}};
  request.first().kernel = "adds";
  request.first().shape.grid = {64, 1, 1};
  request.first().shape.block = {256, 1, 1};
  const std::string file = (folder_ / "contents").string();
  request.arguments = {{"f32[1048576]=@" + file, "all"}, {"f32[1048576]=random:9000:-1:1", "other"}};
  const job::Outcome interpreted = job::run(request);
  ASSERT_TRUE(interpreted.completed) << format(interpreted.diagnostics.front());

  const auto there = open_elsewhere(*where_from("ssh:lab"), 0);
  ASSERT_TRUE(there.ok()) << format(there.errors().front());
  std::uint64_t before = 0;
  for (int turn = 0; turn < 4; ++turn) {
    const Result<job::GpuReport> report = job::run_with_witnesses(interpreted, **there, {});
    ASSERT_TRUE(report.ok()) << format(report.errors().front());
    EXPECT_EQ(connections(), "connected\n") << "run " << turn;
    const std::uint64_t now = travelled();
    if (turn == 0)
      EXPECT_GT(now, contents.size()) << "the first run sends it";
    else
      EXPECT_LT(now - before, contents.size() / 16) << "run " << turn;
    before = now;
  }
}

// In the window, the list comes first, and then a session with one of its GPUs.
TEST_F(WarmElsewhere, TheListOfGpusAndASessionShareAConnection) {
  Result<Reached> reached = Reached::reach(*where_from("ssh:lab"));
  ASSERT_TRUE(reached.ok()) << format(reached.errors().front());
  ASSERT_EQ(reached->devices().size(), 1u);
  EXPECT_EQ(reached->devices().front().where, "ssh:lab");
  const Result<std::unique_ptr<Session>> session = std::move(*reached).open(0);
  ASSERT_TRUE(session.ok()) << format(session.errors().front());
  EXPECT_EQ((*session)->device().name_and_place(), "Pretended (ssh:lab)");
  EXPECT_TRUE((*session)->time_copy(4096, {.time_limit_seconds = 0.01}).ok());
  EXPECT_EQ(connections(), "connected\n");
}

TEST_F(WarmElsewhere, AGpuThatTheListDoesNotHaveIsNamed) {
  Result<Reached> reached = Reached::reach(*where_from("ssh:lab"));
  ASSERT_TRUE(reached.ok());
  const Result<std::unique_ptr<Session>> session = std::move(*reached).open(3);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.errors().front().code, "gpu.no_device");
}

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

// Prints how long it takes; nothing is expected of it. Needs a host that `ssh HOST true` reaches without a prompt, best
// this machine itself, and there LANESCOPE_WORKER:
//   LANESCOPE_SSH=HOST build/release/lanescope_tests --gtest_filter='WarmElsewhereMeasured.*'
TEST(WarmElsewhereMeasured, SecondsOfARun) {
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
}

}  // namespace
}  // namespace lanescope::gpu
