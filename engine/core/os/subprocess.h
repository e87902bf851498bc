#pragma once
// Runs a program without a shell, so nothing needs quoting.

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lanescope {

struct ProgramOutcome {
  bool started = false;
  bool timed_out = false;  // it was killed
  bool stopped = false;    // killed because stop() returned true
  int exit_status = -1;    // -1: ended by a signal
  std::string output, errors;
};

// `arguments` does not include the program's name. An argument that is exactly "{input}" becomes a path from which the
// program reads `input` (in memory, never on disk). On Linux "{output}" becomes a path of its standard output; unlike
// /dev/stdout, root cannot delete it. `stop` is called ten times a second; if it is given, the program has a process
// group of its own, so that killing it kills the whole group.
ProgramOutcome run_program(const std::string& path, std::vector<std::string> arguments,
                           std::span<const std::uint8_t> input, std::chrono::seconds limit,
                           const std::function<bool()>& stop = {});

}  // namespace lanescope
