#pragma once
// Single lines of what nvcc prints that are not its own compilers'.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compile/compiler_log.h"

namespace lanescope::compile {

// "FILE:LINE:COLUMN: error: MESSAGE" of g++; nothing for another line. The message is as NVRTC would word it.
std::optional<LogEntry> line_of_host_compiler(std::string_view line);

struct LinkerLine {
  enum class Kind : std::uint8_t { undefined, no_library, options } kind{};
  std::string message;
};
// The linker's, and what nvcc says of its options.
std::optional<LinkerLine> line_of_linker(std::string_view line);

// What nvcc adds to a log and is about none of its entries.
bool is_remark_on_warnings(const LogEntry& entry);

}  // namespace lanescope::compile
