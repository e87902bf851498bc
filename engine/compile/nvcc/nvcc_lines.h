#pragma once
// Parses single lines of nvcc's output that do not come from its own compilers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compile/compiler_log.h"

namespace lanescope::compile {

// "FILE:LINE:COLUMN: error: MESSAGE" of g++; nullopt for any other line. The message is worded as in NVRTC.
std::optional<LogEntry> line_of_host_compiler(std::string_view line);

struct LinkerLine {
  enum class Kind : std::uint8_t { undefined, no_library, options } kind{};
  std::string message;
};
// A line of the linker, or an error of nvcc about its options.
std::optional<LinkerLine> line_of_linker(std::string_view line);

// True for an entry that nvcc appends to a log and that concerns no other entry.
bool is_remark_on_warnings(const LogEntry& entry);

}  // namespace lanescope::compile
