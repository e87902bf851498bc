#include "compile/compiler_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/text.h"

namespace lanescope::compile {
namespace {

int number_at(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Removes "error: ", "warning #177-D: ", … from the head of `text`.
bool take_severity(std::string_view& text, LogEntry& entry) {
  struct Word {
    std::string_view text;
    Severity severity;
  };
  constexpr std::array words{Word{"catastrophic error", Severity::error},
                             Word{"internal error", Severity::error},
                             Word{"error", Severity::error},
                             Word{"warning", Severity::warning},
                             Word{"remark", Severity::note},
                             Word{"note", Severity::note},
                             Word{"Note", Severity::note}};
  for (const Word& word : words) {
    if (!text.starts_with(word.text)) continue;
    std::string_view rest = text.substr(word.text.size());
    if (rest.starts_with(" #")) {
      entry.number = number_at(rest.substr(2));
      const std::size_t colon = rest.find(':');
      if (colon == std::string_view::npos) continue;
      rest.remove_prefix(colon);
    }
    if (!rest.starts_with(':')) continue;
    entry.severity = word.severity;
    entry.message = std::string(trimmed(rest.substr(1)));
    return true;
  }
  return false;
}

// Parses the first line of an entry; nullopt for any other line.
std::optional<LogEntry> read_head(std::string_view line) {
  LogEntry entry;
  std::string_view rest = line;
  if (rest.starts_with("At end of source: ")) {
    rest.remove_prefix(18);
    entry.at_end = true;
    if (take_severity(rest, entry)) return entry;
    return std::nullopt;
  }
  if (rest.starts_with("nvrtc: ")) {
    rest.remove_prefix(7);
    if (take_severity(rest, entry)) return entry;
    return std::nullopt;
  }
  if (take_severity(rest, entry)) return entry;
  for (std::size_t at = line.find("): "); at != std::string_view::npos; at = line.find("): ", at + 1)) {
    const std::size_t open = line.rfind('(', at);
    if (open == std::string_view::npos || open + 1 == at ||
        line.substr(open + 1, at - open - 1).find_first_not_of("0123456789") != std::string_view::npos)
      continue;
    rest = line.substr(at + 3);
    if (!take_severity(rest, entry)) continue;
    entry.place.file = std::string(line.substr(0, open));
    entry.place.line = number_at(line.substr(open + 1));
    return entry;
  }
  return std::nullopt;
}

// Parses `…" at line 3 of user.cu`; without a file name the place is in the entry's own file.
std::optional<SourcePlace> read_instantiation(std::string_view line, const std::string& own_file) {
  const std::size_t at = line.rfind("\" at line ");
  if (at == std::string_view::npos) return std::nullopt;
  SourcePlace place{own_file, number_at(line.substr(at + 10)), 0};
  const std::size_t of = line.find(" of ", at + 10);
  if (of != std::string_view::npos) place.file = std::string(trimmed(line.substr(of + 4)));
  return place;
}

// The source line is indented by two spaces, and the caret stands under the column.
bool read_caret(std::string_view line, LogEntry& entry) {
  if (trimmed(line) != "^") return false;
  if (entry.place.column == 0 && entry.place.line > 0) entry.place.column = static_cast<int>(line.find('^')) - 1;
  return true;
}

void read_detail(std::string_view line, LogEntry& entry) {
  const std::string_view text = trimmed(line);
  if (const auto place = read_instantiation(text, entry.place.file)) {
    entry.instantiated_at.push_back(*place);
    return;
  }
  if (text.empty() || text.starts_with("detected during") || text.starts_with("instantiation of ")) return;
  entry.message += entry.message.ends_with('.') ? " " : "; ";
  entry.message += text;
}

}  // namespace

std::vector<LogEntry> parse_compiler_log(const std::string& log) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    lines.push_back(std::string_view(log).substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<LogEntry> entries;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (trimmed(line).empty()) {
      inside = false;
    } else if (!line.starts_with(' ') && !line.starts_with('\t')) {
      auto head = read_head(line);
      inside = head.has_value();
      if (inside) entries.push_back(std::move(*head));
    } else if (inside) {
      const bool is_echo = i + 1 < lines.size() && trimmed(lines[i + 1]) == "^";
      if (!is_echo && !read_caret(line, entries.back())) read_detail(line, entries.back());
    }
  }
  return entries;
}

void rename_file(std::vector<LogEntry>& log, const std::string& from, const std::string& to) {
  const auto rename = [&](SourcePlace& place) {
    if (place.file == from) place.file = to;
  };
  for (LogEntry& entry : log) {
    rename(entry.place);
    std::for_each(entry.instantiated_at.begin(), entry.instantiated_at.end(), rename);
  }
}

}  // namespace lanescope::compile
