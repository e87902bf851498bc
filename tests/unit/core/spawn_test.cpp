#include "core/os/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "core/os/descriptor.h"

namespace lanescope {
namespace {

TEST(Spawn, SaysWhyAProgramWasNotStarted) {
  int pid = 12;
  EXPECT_EQ(spawn_not_to_outlive_us({"/no/such/program"}, pid), ENOENT);
  EXPECT_EQ(spawn_not_to_outlive_us({"/"}, pid), EACCES);
  EXPECT_EQ(pid, 12);
}

TEST(Spawn, HandsOnArgumentsAndExitStatus) {
  int pid = -1;
  ASSERT_EQ(spawn_not_to_outlive_us({"/bin/sh", "-c", "exit $1", "sh", "7"}, pid), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

// Reading a pipe that both hold ends only when both have ended.
TEST(Spawn, KillsTheProgramWithTheOneThatStartedIt) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), 0), 0);
  const Descriptor hear(ends[0]);
  Descriptor held(ends[1]);
  const pid_t between = ::fork();
  if (between == 0) {
    int pid = -1;
    if (spawn_not_to_outlive_us({"/bin/sh", "-c", "exec sleep 60"}, pid) != 0) ::_exit(1);
    ::raise(SIGKILL);
  }
  held.close();
  int status = 0;
  ASSERT_EQ(::waitpid(between, &status, 0), between);
  EXPECT_TRUE(WIFSIGNALED(status));
  pollfd ended{hear.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ended, 1, 10'000), 1) << "the program goes on";
}

}  // namespace
}  // namespace lanescope
