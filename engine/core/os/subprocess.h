#pragma once
// Runs a program without a shell: no quoting, no surprises.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope {

struct ProgramOutcome {
  bool started = false;
  bool timed_out = false;  // it was killed
  int exit_status = -1;    // -1: ended by a signal
  std::string output, errors;
};

// `arguments` without the program's own name; an argument that is exactly "{input}" becomes a path under which the
// program reads `input` (kept in memory, never on disk).
ProgramOutcome run_program(const std::string& path, std::vector<std::string> arguments,
                           std::span<const std::uint8_t> input, std::chrono::seconds limit);

}  // namespace lanescope
