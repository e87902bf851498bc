#include "compile/nvcc/nvcc_lines.h"

#include <charconv>
#include <utility>

#include "core/text.h"

namespace lanescope::compile {

std::optional<LogEntry> line_of_host_compiler(std::string_view line) {
  for (const auto& [word, severity] : {std::pair<std::string_view, Severity>{": fatal error: ", Severity::error},
                                       {": error: ", Severity::error},
                                       {": warning: ", Severity::warning}}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    const std::vector<std::string_view> parts = split(line.substr(0, at), ':');
    if (parts.size() < 3) continue;
    const std::string_view number = parts[parts.size() - 2];
    LogEntry entry;
    entry.severity = severity;
    entry.place.file = std::string(line.substr(0, at - parts.back().size() - number.size() - 2));
    if (std::from_chars(number.data(), number.data() + number.size(), entry.place.line).ec != std::errc{}) continue;
    entry.message = std::string(line.substr(at + word.size()));
    constexpr std::string_view not_there = ": No such file or directory";
    if (entry.message.ends_with(not_there))
      entry.message =
          "cannot open source file \"" + entry.message.substr(0, entry.message.size() - not_there.size()) + "\"";
    return entry;
  }
  return std::nullopt;
}

std::optional<LinkerLine> line_of_linker(std::string_view line) {
  using Kind = LinkerLine::Kind;
  if (const std::size_t at = line.find("undefined reference to "); at != std::string_view::npos)
    return LinkerLine{Kind::undefined, std::string(line.substr(at))};
  if (const std::size_t at = line.find("cannot find -l"); at != std::string_view::npos)
    return LinkerLine{Kind::no_library, std::string(line.substr(at))};
  if (const std::size_t at = line.find(':'); line.starts_with("nvcc fatal") && at != std::string_view::npos)
    return LinkerLine{Kind::options, std::string(trimmed(line.substr(at + 1)))};
  return std::nullopt;
}

bool is_remark_on_warnings(const LogEntry& entry) {
  return entry.message.starts_with("The warnings can be suppressed");
}

}  // namespace lanescope::compile
