#include "core/os/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include "core/os/descriptor.h"
#include "core/os/pipes.h"

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

// The thread that started it has ended long before.
TEST(Spawn, AsksTheProgramToEndWhenTheOneThatStartedItIsKilled) {
  Descriptor output, of_child;
  ASSERT_EQ(open_pipe(output, of_child), 0);
  const pid_t between = ::fork();
  if (between == 0) {
    int failed = 0, pid = -1;
    std::thread([&] {
      failed = spawn_to_end_with_us(
          {"/bin/sh", "-c", "trap 'echo asked; exit' TERM; echo ready; while :; do sleep 0.05; done"},
          {.descriptors = {{of_child.get(), 1}}}, pid);
    }).join();
    if (failed != 0) ::_exit(1);
    for (;;) ::pause();
  }
  of_child.close();
  std::array<char, 64> said{};
  ASSERT_TRUE(readable(output.get(), 10'000));
  EXPECT_EQ(read_arrived(output.get(), said.data(), said.size()), 6);
  EXPECT_FALSE(readable(output.get(), 300)) << "not asked while the process lives";
  ::kill(between, SIGKILL);
  ::waitpid(between, nullptr, 0);
  ASSERT_TRUE(readable(output.get(), 10'000));
  EXPECT_EQ(read_arrived(output.get(), said.data(), said.size()), 6);
  EXPECT_STREQ(said.data(), "asked\n");
}

// In a folder, with its output in a pipe, and in a group with a process that it started.
TEST(Spawn, StartsAProgramToBeFollowedAndKillsItsGroup) {
  Descriptor output, of_child;
  ASSERT_EQ(open_pipe(output, of_child), 0);
  int pid = -1;
  const ChildSetting setting{.descriptors = {{of_child.get(), 1}}, .group = ProcessGroup::own, .folder = "/usr"};
  ASSERT_EQ(spawn_not_to_outlive_us({"/bin/sh", "-c", "pwd; sleep 60 & exec sleep 60"}, setting, pid), 0);
  of_child.close();
  std::array<char, 64> said{};
  EXPECT_EQ(read_arrived(output.get(), said.data(), said.size()), 5);
  EXPECT_STREQ(said.data(), "/usr\n");
  EXPECT_FALSE(readable(output.get(), 0));
  kill_group(pid);
  EXPECT_TRUE(readable(output.get(), 10'000)) << "the other one holds the pipe";
  EXPECT_EQ(read_arrived(output.get(), said.data(), said.size()), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFSIGNALED(status));
  int none = -1;
  EXPECT_EQ(spawn_not_to_outlive_us({"/bin/true"}, {.folder = "/no/such/folder"}, none), ENOENT);
}

}  // namespace
}  // namespace lanescope
