#include "compile/host/launch_scan.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// The offset behind three of `bracket` at `at`, else npos. nvcc lets blanks stand between them, and formatters that do
// not know CUDA write `<< <1, 32 >> >`.
std::size_t behind_three(std::string_view code, std::size_t at, char bracket) {
  for (int left = 3; at < code.size(); ++at) {
    if (code[at] == bracket) {
      if (--left == 0) return at + 1;
    } else if (left == 3 || blanks.find(code[at]) == std::string_view::npos) {
      break;
    }
  }
  return std::string_view::npos;
}

struct Brackets {
  std::size_t open, open_end, close, close_end;
};

// The next `<<<…>>>` from `from` on; `open` is npos if there is none, `close` if it has no end.
Brackets next_brackets(std::string_view code, std::size_t from) {
  constexpr std::size_t none = std::string_view::npos;
  Brackets found{code.find('<', from), none, none, none};
  for (; found.open != none; found.open = code.find('<', found.open + 1))
    if (found.open_end = behind_three(code, found.open, '<'); found.open_end != none) break;
  if (found.open == none) return found;
  int depth = 0;
  for (std::size_t i = found.open_end; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0 || c == ';') break;
    if (depth != 0 || c != '>') continue;
    found.close_end = behind_three(code, i, '>');
    if (found.close_end == none) continue;
    found.close = i;
    break;
  }
  return found;
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

// What `auto name = target;` before `end` calls the target, if that is a function, perhaps with template arguments.
std::optional<std::string> called_by(std::string_view code, std::string_view name, std::size_t end) {
  std::optional<std::string> target;
  for (std::size_t at = code.find(name); at < end; at = code.find(name, at + name.size())) {
    const std::size_t behind = code.find_first_not_of(blanks, at + name.size());
    if ((at > 0 && is_name_char(code[at - 1])) || behind == std::string_view::npos || code[behind] != '=' ||
        code.substr(behind, 2) == "==")
      continue;
    std::string_view before = trimmed(code.substr(0, at));
    while (before.ends_with('*') || before.ends_with('&')) before = trimmed(before.substr(0, before.size() - 1));
    const bool declared = before.ends_with("auto") && (before.size() == 4 || !is_name_char(before[before.size() - 5]));
    if (!declared) {
      if (target) return std::nullopt;  // set again
      continue;
    }
    std::string_view value = trimmed(code.substr(behind + 1, code.find(';', behind) - behind - 1));
    if (value.starts_with('&')) value = trimmed(value.substr(1));
    target.reset();
    if (!value.empty() && name_begin(value, value.size()) == 0 &&
        std::ranges::none_of(value, [](char c) { return c == '(' || c == '{'; }))
      target = std::string(value);
  }
  return target;
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
  for (Brackets found = next_brackets(code, 0); found.open != std::string::npos;
       found = next_brackets(code, found.open_end)) {
    const std::size_t at = found.open, begin = name_begin(code, at);
    if (begin >= at || found.close == std::string::npos) continue;
    const std::size_t open = code.find_first_not_of(blanks, found.close_end);
    if (open == std::string::npos || code[open] != '(') continue;
    const std::size_t end = behind_bracket(code, open);
    if (end == std::string::npos) continue;
    ScannedLaunch launch;
    launch.kernel = std::string(trimmed(std::string_view(code).substr(begin, at - begin)));
    if (launch.kernel.starts_with("::")) launch.kernel.erase(0, 2);
    if (launch.kernel.empty()) continue;  // `SWITCH(kernel, <<<grid, block>>>(x))`: a macro puts it there
    if (std::ranges::all_of(launch.kernel, is_name_char))
      if (std::optional<std::string> target = called_by(code, launch.kernel, begin)) launch.kernel = std::move(*target);
    launch.configuration = comma_list(std::string_view(code).substr(found.open_end, found.close - found.open_end));
    launch.arguments = comma_list(std::string_view(code).substr(open + 1, end - open - 2));
    put_characters_back(launch.arguments, text, code, open + 1);
    launch.offset = begin;
    launch.line = line_at(code, begin);
    if (launch.configuration.size() >= 2) launches.push_back(std::move(launch));
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
