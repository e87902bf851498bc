#include "compile/host/launch_scan.h"

#include <algorithm>

#include "compile/host/source_scan.h"
#include "core/comma_list.h"
#include "core/text.h"

namespace lanescope::compile {

namespace {

int line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

// The offset where the name that ends before `end` begins, with its namespaces and template arguments.
std::size_t name_begin(std::string_view code, std::size_t end) {
  std::size_t at = code.find_last_not_of(blanks, end - 1) + 1;
  if (at > 0 && code[at - 1] == '>') {
    int depth = 0;
    while (at > 0) {
      const char c = code[--at];
      if (c == ';' || c == '{' || c == '}') return end;
      if (c == '>') ++depth;
      if (c == '<' && --depth == 0) break;
    }
    at = at == 0 ? 0 : code.find_last_not_of(blanks, at - 1) + 1;
  }
  while (at > 0 && (is_name_char(code[at - 1]) || code[at - 1] == ':')) --at;
  return at;
}

std::size_t end_of_configuration(std::string_view code, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0 || c == ';') break;
    if (depth == 0 && code.substr(i, 3) == ">>>") return i;
  }
  return std::string_view::npos;
}

// Puts the characters of literals such as 'a', which `code` has not, back into the parts of the code from `from` on.
void put_characters_back(std::vector<std::string>& parts, std::string_view text, std::string_view code,
                         std::size_t from) {
  for (std::string& part : parts) {
    from = code.find(part, from);
    if (from == std::string_view::npos) return;
    const std::string_view whole = text.substr(from, part.size());
    from += part.size();
    if (contains(part, "'") && !contains(whole, "/*") && !contains(whole, "//")) part = whole;
  }
}

}  // namespace

std::size_t behind_bracket(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

std::vector<ScannedLaunch> scan_launches(std::string_view text) {
  const std::string code = blank_non_code(text);
  std::vector<ScannedLaunch> launches;
  for (std::size_t at = code.find("<<<"); at != std::string::npos; at = code.find("<<<", at + 3)) {
    const std::size_t begin = name_begin(code, at), close = end_of_configuration(code, at + 3);
    if (begin >= at || close == std::string::npos) continue;
    const std::size_t open = code.find_first_not_of(blanks, close + 3);
    if (open == std::string::npos || code[open] != '(') continue;
    const std::size_t end = behind_bracket(code, open);
    if (end == std::string::npos) continue;
    ScannedLaunch launch;
    launch.kernel = std::string(trimmed(std::string_view(code).substr(begin, at - begin)));
    if (launch.kernel.starts_with("::")) launch.kernel.erase(0, 2);
    launch.configuration = comma_list(std::string_view(code).substr(at + 3, close - at - 3));
    launch.arguments = comma_list(std::string_view(code).substr(open + 1, end - open - 2));
    put_characters_back(launch.arguments, text, code, open + 1);
    launch.offset = begin;
    launch.line = line_at(code, begin);
    if (launch.configuration.size() >= 2 && !launch.kernel.empty()) launches.push_back(std::move(launch));
  }
  return launches;
}

std::vector<ScannedCall> scan_calls(std::string_view text, std::string_view name) {
  const std::string code = blank_non_code(text);
  std::vector<ScannedCall> calls;
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_name_char(code[at - 1])) || (end < code.size() && is_name_char(code[end]))) continue;
    const std::size_t open = code.find_first_not_of(blanks, end);
    if (open == std::string::npos || code[open] != '(') continue;
    const std::size_t behind = behind_bracket(code, open);
    if (behind == std::string::npos) continue;
    calls.push_back({comma_list(std::string_view(code).substr(open + 1, behind - open - 2)), at, line_at(code, at)});
  }
  return calls;
}

}  // namespace lanescope::compile
