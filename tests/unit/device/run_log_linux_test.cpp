// Programs that fork: parent and child write one log.

#include "device/run_log.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "core/os/machine.h"

namespace lanescope::device {
namespace {

TEST(RunLogOfTwoProcesses, EachCountsItsOwnRepetitions) {
  const std::string path = testing::TempDir() + "lanescope_forked_log_" + std::to_string(own_process());
  LaunchRow row;
  row.kernel = "add";
  row.completed = true;
  row.seconds = 0.5;
  {
    RunLog log(path);
    for (int i = 0; i < 3; ++i) log.add(row);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    for (int i = 0; i < 1'000; ++i) log.add(row);
    if (child == 0) ::_exit(0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    log.add(row);
  }
  const auto rows = read_run_log(path);
  std::remove(path.c_str());
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(std::get<LaunchRow>(rows->front()).times, 2'004u);
  EXPECT_EQ(std::get<LaunchRow>(rows->front()).seconds, 1'002.0);
}

}  // namespace
}  // namespace lanescope::device
