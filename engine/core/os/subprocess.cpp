#include "core/os/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "core/os/descriptor.h"
#include "core/os/write_all.h"

extern char** environ;

namespace lanescope {
namespace {

struct Pipe {
  Descriptor read_end, write_end;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
    return true;
  }
};

// Reads both pipes until the program has closed them; false when the time is over.
bool collect(Pipe& out, Pipe& err, std::chrono::steady_clock::time_point deadline, ProgramOutcome& outcome) {
  std::array<pollfd, 2> waiting{pollfd{out.read_end.get(), POLLIN, 0}, pollfd{err.read_end.get(), POLLIN, 0}};
  std::array<std::string*, 2> texts{&outcome.output, &outcome.errors};
  std::array<char, 1 << 16> buffer{};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return false;
    for (std::size_t i = 0; ready > 0 && i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      const ssize_t got = ::read(waiting[i].fd, buffer.data(), buffer.size());
      if (got > 0)
        texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR)
        waiting[i].fd = -1;
    }
  }
  return true;
}

}  // namespace

ProgramOutcome run_program(const std::string& path, std::vector<std::string> arguments,
                           std::span<const std::uint8_t> input, std::chrono::seconds limit) {
  constexpr int input_in_child = 3;
  ProgramOutcome outcome;
  Pipe out, err;
  const Descriptor file(::memfd_create("lanescope", MFD_CLOEXEC));
  if (file.get() < 0 || write_all(file.get(), input.data(), input.size()) != 0 || !out.open() || !err.open())
    return outcome;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end.get(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, file.get(), input_in_child);

  std::vector<char*> argv;
  std::string name = path;
  argv.push_back(name.data());
  for (std::string& argument : arguments) {
    if (argument == "{input}") argument = "/proc/self/fd/" + std::to_string(input_in_child);
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);

  pid_t child = 0;
  const int failed = ::posix_spawn(&child, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  out.write_end.close();
  err.write_end.close();
  if (failed != 0) return outcome;
  outcome.started = true;
  if (!collect(out, err, std::chrono::steady_clock::now() + limit, outcome)) {
    outcome.timed_out = true;
    ::kill(child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  return outcome;
}

}  // namespace lanescope
