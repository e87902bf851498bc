// What nvcc prints is the log of several programs: its own compilers', which is like NVRTC's, g++'s, and the linker's.

#include <charconv>
#include <optional>

#include "compile/compiler_log.h"
#include "compile/compiler_words.h"
#include "compile/diagnose.h"
#include "compile/nvcc.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

// "FILE:LINE:COLUMN: error: MESSAGE" of g++; nothing for another line.
std::optional<LogEntry> of_host_compiler(std::string_view line) {
  for (const auto& [word, severity] : {std::pair<std::string_view, Severity>{": fatal error: ", Severity::error},
                                       {": error: ", Severity::error},
                                       {": warning: ", Severity::warning}}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    const std::vector<std::string_view> parts = split(line.substr(0, at), ':');
    if (parts.size() < 3) continue;
    LogEntry entry;
    entry.severity = severity;
    entry.place.file = std::string(line.substr(0, at - parts.back().size() - parts[parts.size() - 2].size() - 2));
    const std::string_view number = parts[parts.size() - 2];
    if (std::from_chars(number.data(), number.data() + number.size(), entry.place.line).ec != std::errc{}) continue;
    entry.message = std::string(line.substr(at + word.size()));
    constexpr std::string_view not_there = ": No such file or directory";
    if (entry.message.ends_with(not_there))  // as NVRTC says it
      entry.message =
          "cannot open source file \"" + entry.message.substr(0, entry.message.size() - not_there.size()) + "\"";
    return entry;
  }
  return std::nullopt;
}

// The linker's and nvcc's own.
std::optional<Diagnostic> of_linker(std::string_view line) {
  if (const std::size_t at = line.find("undefined reference to "); at != std::string_view::npos)
    return Diagnostic{Severity::error,
                      "compile.link_error",
                      {},
                      told_by_compiler(std::string(line.substr(at))),
                      "Define it, or give the file or library that does as a further option for nvcc."};
  if (const std::size_t at = line.find("cannot find -l"); at != std::string_view::npos)
    return Diagnostic{Severity::error,
                      "compile.link_error",
                      {},
                      told_by_compiler(std::string(line.substr(at))),
                      "Install that library, or give its folder with -L as a further option for nvcc."};
  if (line.starts_with("nvcc fatal"))
    return Diagnostic{
        Severity::error,
        "compile.nvcc",
        {},
        told_by_compiler(std::string(trimmed(line.substr(std::min(line.find(':'), line.size() - 1) + 1)))),
        "Change the options that are handed on to nvcc."};
  return std::nullopt;
}

}  // namespace

Diagnostics diagnose_nvcc(const std::string& log, const ProgramSource& source, const std::string& text) {
  std::vector<LogEntry> entries = parse_compiler_log(log);
  // Its echo of a line has __attribute__((global)) for __global__, so the column under the caret is not the source's.
  for (LogEntry& entry : entries) entry.place.column = 0;
  // It compiles a file once for the host and once for each architecture, and warns each time.
  std::vector<LogEntry> own;
  const auto add = [&](LogEntry entry) {
    for (const LogEntry& one : own)
      if (one.place == entry.place && one.message == entry.message) return;
    own.push_back(std::move(entry));
  };
  for (LogEntry& entry : entries)
    if (!entry.message.starts_with("The warnings can be suppressed")) add(std::move(entry));
  Diagnostics others;
  for (const std::string_view line : split(log, '\n')) {
    if (std::optional<LogEntry> entry = of_host_compiler(line))
      add(std::move(*entry));
    else if (std::optional<Diagnostic> one = of_linker(line))
      others.push_back(std::move(*one));
  }
  const Source whole{source.file, text, source.include_paths};
  Diagnostics said = diagnose(own, {.source = whole, .left_out = {}, .system_paths = {}});
  said.insert(said.end(), others.begin(), others.end());
  return said;
}

}  // namespace lanescope::compile
