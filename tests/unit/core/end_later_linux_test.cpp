// The end of a process by a signal, delayed.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/os/asked_to_end.h"

namespace lanescope {
namespace {

// How a process ends that gets `signal` while it has two objects, and once more if `twice`.
int end_of_child(int signal, bool twice) {
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const EndLater outer;
      const EndLater inner;
      ::raise(signal);
      if (twice) ::raise(signal);
      const char done = EndLater::asked() ? 'd' : 'n';
      if (::write(pipe_ends[1], &done, 1) != 1) ::_exit(5);
    }
    ::_exit(3);  // the signal was lost
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(pipe_ends[1]);
  char said = '-';
  const bool cleaned = ::read(pipe_ends[0], &said, 1) == 1;
  ::close(pipe_ends[0]);
  EXPECT_EQ(cleaned, !twice);
  if (cleaned) EXPECT_EQ(said, 'd');
  return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

TEST(EndLater, TheProcessEndsAfterwardsByTheSameSignal) {
  EXPECT_EQ(end_of_child(SIGTERM, false), SIGTERM);
  EXPECT_EQ(end_of_child(SIGINT, false), SIGINT);
}

TEST(EndLater, ASecondSignalEndsItAtOnce) {
  EXPECT_EQ(end_of_child(SIGINT, true), SIGINT);
}

TEST(EndLater, WithoutASignalNothingHappens) {
  const EndLater later;
  EXPECT_FALSE(EndLater::asked());
}

}  // namespace
}  // namespace lanescope
