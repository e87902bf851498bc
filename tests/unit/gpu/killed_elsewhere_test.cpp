// The line to a GPU elsewhere, or the worker at its other end, is killed at random moments: nothing hangs, each run
// ends with its result or a reason, and the next one works. LANESCOPE_KILLS=100 kills more often.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "compile/toolchain.h"
#include "core/os/clock.h"
#include "core/os/environment.h"
#include "golden.h"
#include "gpu/worker.h"
#include "job/witness/gpu_run.h"
#include "test_paths.h"

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* leaves_all_alone =
    "__global__ void leaves_all_alone(float* all, const float* zero) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
    "  all[i] = all[i] + zero[0];\n"
    "}\n";

// `ssh` is a script that keeps its own number and that of the worker which it starts here.
class KilledElsewhere : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
    job::Request request;
    request.source = {"leaves_all_alone.cu", leaves_all_alone, {}};
    request.first().kernel = "leaves_all_alone";
    request.first().shape.grid = {64, 1, 1};
    request.first().shape.block = {256, 1, 1};
    request.arguments = {{"f32[16384]=random:7", "all"}, {"f32[1]=0", "zero"}};
    interpreted_ = job::run(request);
    ASSERT_TRUE(interpreted_.completed) << format(interpreted_.diagnostics.front());
    const fs::path driver = LANESCOPE_PRETENDED "/driver";
    // Only the line, a `cat`, holds the end from which the parent reads, as ssh does.
    test::write_file(folder_ / "ssh", "#!/bin/sh\ncd '" + folder_.path().string() +
                                          "'\nexec 3<&0\nmkfifo answers.$$\nLD_LIBRARY_PATH='" + driver.string() +
                                          "' " + LANESCOPE_BINARY +
                                          " worker <&3 >answers.$$ &\n"
                                          "echo $! >new; mv new worker\necho $$ >new; mv new line\n"
                                          "exec cat <answers.$$ 3<&-\n");
    fs::permissions(folder_ / "ssh", fs::perms::owner_all);
  }
  // Of the newest connection; 0 if there is none yet.
  pid_t process(const char* name) const {
    if (!fs::exists(folder_ / name)) return 0;
    return static_cast<pid_t>(std::atoi(test::read_file(folder_ / name).c_str()));
  }
  Result<job::GpuRun> run(Session& session) const {
    job::GpuOptions options;
    options.timing.time_limit_seconds = 0.1;
    options.timing.target_relative_half_width = 0;
    return job::run_on_gpu(interpreted_, session, options);
  }

  test::TempFolder folder_;
  job::Outcome interpreted_;
};

TEST_F(KilledElsewhere, EachRunEndsAndTheNextOneWorks) {
  const ScopedVariable path("PATH", folder_.path().string() + ":/usr/bin:/bin");
  Result<std::unique_ptr<Session>> opened = open_elsewhere(*where_from("ssh:lab"), 0);
  ASSERT_TRUE(opened.ok()) << format(opened.errors().front());
  Session& session = **opened;
  ASSERT_TRUE(run(session).ok());  // it also compiles
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(run(session).ok());
  const double usual = seconds_since(begin);

  const int kills = std::atoi(value_of_variable("LANESCOPE_KILLS").value_or("12").c_str());
  std::minstd_rand random(22);
  int lost = 0;
  for (int i = 0; i < kills; ++i) {
    const char* victim = i % 2 == 0 ? "line" : "worker";
    const double after = usual * 1.1 * static_cast<double>(random() % 1000) / 1000;
    std::thread killer([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(after));
      if (const pid_t one = process(victim); one > 0) ::kill(one, SIGKILL);
    });
    const auto started = std::chrono::steady_clock::now();
    const Result<job::GpuRun> hit = run(session);
    const double took = seconds_since(started);
    killer.join();
    EXPECT_LT(took, 20 + 10 * usual) << victim << " killed after " << after << " s";
    if (hit) {
      EXPECT_TRUE(hit->same_result) << victim << " killed after " << after << " s: half a result";
    } else {
      ++lost;
      const std::string code = hit.errors().front().code;
      EXPECT_TRUE(code == "gpu.worker_lost" || code == "gpu.unreachable") << format(hit.errors().front());
      EXPECT_FALSE(hit.errors().front().cure.empty());
    }
    // A kill that came after the run's end is met by the next one, which starts another worker.
    Result<job::GpuRun> next = run(session);
    if (!next && hit) next = run(session);
    ASSERT_TRUE(next.ok()) << victim << " killed after " << after << " s: " << format(next.errors().front());
    EXPECT_TRUE(next->same_result);
  }
  EXPECT_GT(lost, kills / 4) << "the moments miss the runs, which take " << usual << " s";
  RecordProperty("lost", lost);
}

}  // namespace
}  // namespace lanescope::gpu
