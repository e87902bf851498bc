#pragma once
// Runs a program without a shell: no quoting, no surprises.

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
  bool stopped = false;    // it was killed because stop() said so
  int exit_status = -1;    // -1: ended by a signal
  std::string output, errors;
};

// `arguments` without the program's own name; an argument that is exactly "{input}" becomes a path under which the
// program reads `input` (kept in memory, never on disk). `stop` is asked ten times a second; where it is given, the
// program has a process group of its own, and whoever kills it kills all of the group.
ProgramOutcome run_program(const std::string& path, std::vector<std::string> arguments,
                           std::span<const std::uint8_t> input, std::chrono::seconds limit,
                           const std::function<bool()>& stop = {});

}  // namespace lanescope
