#include "core/os/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "core/os/descriptor.h"
#include "core/os/linux/wait_for.h"
#include "core/os/spawn.h"
#include "core/os/write_all.h"

namespace lanescope {
namespace {

struct Pipe {
  Descriptor read_end, write_end;
  bool open() { return open_pipe(read_end, write_end) == 0; }
};

// Reads both pipes until the program has closed them. False after the deadline or if `stop` says so.
bool collect(Pipe& out, Pipe& err, std::chrono::steady_clock::time_point deadline, const std::function<bool()>& stop,
             ProgramOutcome& outcome) {
  std::array<pollfd, 2> waiting{pollfd{out.read_end.get(), POLLIN, 0}, pollfd{err.read_end.get(), POLLIN, 0}};
  std::array<std::string*, 2> texts{&outcome.output, &outcome.errors};
  std::array<char, 1 << 16> buffer{};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    outcome.timed_out = left.count() <= 0;
    outcome.stopped = stop && stop();
    if (outcome.timed_out || outcome.stopped) return false;
    const auto wait = stop ? std::min(left, std::chrono::milliseconds(100)) : left;
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(wait.count()));
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
                           std::span<const std::uint8_t> input, std::chrono::seconds limit,
                           const std::function<bool()>& stop) {
  constexpr int input_in_child = 3;
  ProgramOutcome outcome;
  Pipe out, err;
  const Descriptor file(::memfd_create("lanescope", MFD_CLOEXEC));
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!file || !nothing || write_all(file.get(), input.data(), input.size()) != 0 || !out.open() || !err.open())
    return outcome;

  std::vector<std::string> command{path};
  for (std::string& argument : arguments)
    command.push_back(argument == "{input}"    ? "/proc/self/fd/" + std::to_string(input_in_child)
                      : argument == "{output}" ? "/proc/self/fd/1"
                                               : std::move(argument));
  pid_t child = -1;
  // The input comes last, because one of our descriptors may have the number that the input gets.
  const int failed = spawn(command,
                           {{nothing.get(), STDIN_FILENO},
                            {out.write_end.get(), STDOUT_FILENO},
                            {err.write_end.get(), STDERR_FILENO},
                            {file.get(), input_in_child}},
                           child, stop ? ProcessGroup::own : ProcessGroup::ours);
  out.write_end.close();
  err.write_end.close();
  if (failed != 0) return outcome;
  outcome.started = true;
  if (!collect(out, err, std::chrono::steady_clock::now() + limit, stop, outcome))
    ::kill(stop ? -child : child, SIGKILL);
  if (const ProcessEnd end = wait_for(child); end.signal == 0) outcome.exit_status = end.exit_status;
  return outcome;
}

}  // namespace lanescope
