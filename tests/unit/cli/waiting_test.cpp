// A command that takes longer than a second says on a terminal what it does and how to stop it. Without a terminal it
// says nothing for half a minute.

#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "cli/program.h"
#include "compile/fixture.h"

namespace lanescope::cli {
namespace {

using testing::HasSubstr;

// What the program writes to a terminal's standard error within so many seconds, or until `awaited` appears in it.
std::string on_a_terminal(const std::vector<std::string>& arguments, const std::string& awaited, double seconds) {
  int terminal = -1;
  const test::TempFolder folder;
  const std::string out = (folder / "out").string();
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    (void)!std::freopen(out.c_str(), "w", stdout);
    ::signal(SIGINT, SIG_DFL);  // a shell leaves it ignored in what it starts in the background
    std::vector<char*> words{const_cast<char*>(LANESCOPE_BINARY)};
    for (const std::string& one : arguments) words.push_back(const_cast<char*>(one.c_str()));
    words.push_back(nullptr);
    ::execv(LANESCOPE_BINARY, words.data());
    ::_exit(127);
  }
  std::string said;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end && said.find(awaited) == std::string::npos) {
    pollfd one{terminal, POLLIN, 0};
    char buffer[4096];
    if (::poll(&one, 1, 50) <= 0) continue;
    const ssize_t got = ::read(terminal, buffer, sizeof buffer);
    if (got <= 0) break;
    said.append(buffer, static_cast<std::size_t>(got));
  }
  const std::string interrupt(1, '\x03');
  (void)!::write(terminal, interrupt.data(), 1);
  int status = 0;
  for (int tries = 0; tries < 200 && ::waitpid(child, &status, WNOHANG) == 0; ++tries) ::usleep(20000);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << "Ctrl+C ends it";
  ::kill(child, SIGKILL);
  ::close(terminal);
  EXPECT_EQ(test::read_file(out), "") << "nothing of it is in the output";
  return said;
}

TEST(Waiting, AnEndlessLoopIsNamedOnATerminal) {
  if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
  const test::TempFolder folder;
  const std::string source = (folder / "loop.cu").string();
  test::write_file(source,
                   "__global__ void spin(int* o) { int i = 0; while (true) asm volatile(\"add.s32 %0, %0, 1;\" : "
                   "\"+r\"(i)); o[0] = i; }\n");
  const std::string said = on_a_terminal(
      {"trace", source, "--kernel", "spin", "--grid", "1", "--block", "32", "--arg", "i32[1]=0", "--json"},
      "Interpreting", 30);
  EXPECT_THAT(said, HasSubstr("Interpreting spin. Ctrl+C stops it; --max-steps sets a limit."));
}

TEST(Waiting, ACompilationThatTakesLongIsNamedOnATerminal) {
  if (!compile::find_toolchain()) GTEST_SKIP() << "no compiler";
  const test::TempFolder folder;
  std::string text;
  for (char c = 'A'; c < 'P'; ++c)
    text += std::string("#define ") + c + " " + char(c + 1) + " " + char(c + 1) + " " + char(c + 1) + " " +
            char(c + 1) + "\n";
  test::write_file(folder / "bomb.cu", text + "#define P +1\n__global__ void k(int* o) { o[0] = 0 A; }\n");
  const std::string source = (folder / "bomb.cu").string();
  EXPECT_THAT(on_a_terminal({"parse", source}, "Compiling", 30), HasSubstr("bomb.cu. Ctrl+C stops it."));
}

}  // namespace
}  // namespace lanescope::cli
