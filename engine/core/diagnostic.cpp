#include "core/diagnostic.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

bool has_error(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void put_own_cures(Diagnostics& diagnostics, std::span<const OwnCure> cures) {
  for (Diagnostic& diagnostic : diagnostics)
    if (const auto found = std::ranges::find(cures, std::string_view(diagnostic.cure.pattern()), &OwnCure::general);
        found != cures.end() && !diagnostic.cure.empty()) {
      std::vector<Wording> values = diagnostic.cure.values();
      if (values.empty() || found->own.pattern().find("{0}") == std::string_view::npos) {
        diagnostic.cure = found->own;
        continue;
      }
      const std::vector<std::string> texts(values.begin(), values.end());
      diagnostic.cure = {with_values(found->own.pattern(), texts), found->own.pattern(), std::move(values)};
    }
}

std::string format(const Diagnostic& diagnostic) {
  std::string out;
  const SourcePlace& place = diagnostic.place;
  if (!place.file.empty()) out += place.file + ":";
  if (place.line > 0) out += fmt::format("{}:", place.line);
  if (place.line > 0 && place.column > 0) out += fmt::format("{}:", place.column);
  if (!out.empty()) out += ' ';
  out += fmt::format("{}: {}", to_string(diagnostic.severity), diagnostic.message);
  if (!diagnostic.cure.empty()) out += "\n  cure: " + diagnostic.cure;
  return out;
}

std::string format_with_source(const Diagnostic& diagnostic, const std::string& text) {
  std::string out = format(diagnostic);
  if (diagnostic.place.line <= 0) return out;
  std::size_t begin = 0;
  for (int line = 1; line < diagnostic.place.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return out;
    ++begin;
  }
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  const bool is_text = std::none_of(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r'; });
  if (!is_text || line.size() > 1000) return out;  // too long or not text, so not for a terminal
  out += fmt::format("\n{:>5} | {}", diagnostic.place.line, line);
  if (diagnostic.place.column <= 0) return out;
  std::string lead;
  for (int i = 0; i + 1 < diagnostic.place.column && i < static_cast<int>(line.size()); ++i)
    lead += line[static_cast<std::size_t>(i)] == '\t' ? '\t' : ' ';
  return out + "\n      | " + lead + "^";
}

}  // namespace lanescope
