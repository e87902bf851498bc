#include "job/request/struct_members.h"

#include <algorithm>
#include <optional>

#include "core/text.h"

namespace lanescope::job {

namespace {

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end]))) return true;
  }
  return false;
}

bool has_one_word(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}

// The bracket that closes the one at `open`; npos if there is none.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

// Between the brackets of "struct TYPE { … }" or "typedef struct { … } TYPE;".
std::optional<std::string_view> body_of(std::string_view text, std::string_view type) {
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::size_t begin = text.find_last_of(";{}", open == 0 ? 0 : open - 1);
    const std::string_view head = trimmed(text.substr(begin == std::string_view::npos ? 0 : begin + 1,
                                                      open - (begin == std::string_view::npos ? 0 : begin + 1)));
    if (!has_one_word(head, {"struct", "class"}) || has_one_word(head, {"template", "alignas", "__align__"}) ||
        contains(head, "(") || contains(head, ":"))
      continue;
    const std::size_t close = closing(text, open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view behind = text.substr(close + 1, text.find(';', close) - close - 1);
    if (head.ends_with(type) && has_word(head, type)) return text.substr(open + 1, close - open - 1);
    if (head.starts_with("typedef") && trimmed(behind) == type) return text.substr(open + 1, close - open - 1);
  }
  return std::nullopt;
}

// "int width, height" → "int width", "int height".
bool add_members(std::string_view statement, std::vector<std::string>& members) {
  const std::size_t comma = statement.find(',');
  const std::string first(trimmed(statement.substr(0, comma)));
  members.push_back(first);
  if (comma == std::string_view::npos) return true;
  std::size_t type_end = first.size();
  while (type_end > 0 && is_name_char(first[type_end - 1])) --type_end;
  const std::string type(trimmed(first.substr(0, type_end)));
  const std::string base(trimmed(std::string_view(type).substr(0, type.find('*'))));
  for (const std::string_view one : split(statement.substr(comma + 1), ','))
    members.push_back(base + " " + std::string(trimmed(one)));
  return !contains(statement, "<");
}

}  // namespace

std::vector<std::string> struct_members(std::string_view text, std::string_view type) {
  const std::optional<std::string_view> body = type.empty() ? std::nullopt : body_of(text, type);
  if (!body || has_one_word(*body, {"virtual", "union", "alignas", "__align__"})) return {};
  std::vector<std::string> members;
  for (std::size_t at = 0; at < body->size();) {
    std::size_t end = body->find_first_of(";{", at);
    if (end == std::string_view::npos) break;
    std::string_view statement = trimmed(body->substr(at, end - at));
    const bool is_function = contains(statement, "(");
    if ((*body)[end] == '{') {  // a function's body, a struct, or a default value
      end = closing(*body, end);
      if (end == std::string_view::npos || !is_function) return {};
      at = end + 1;
      continue;
    }
    at = end + 1;
    for (const std::string_view access : {"public:", "private:", "protected:"})
      if (statement.starts_with(access)) statement = trimmed(statement.substr(access.size()));
    if (statement.empty() || is_function || has_one_word(statement, {"static", "using", "typedef", "friend"})) continue;
    statement = trimmed(statement.substr(0, statement.find('=')));
    if (statement.find_first_of("[:") != std::string_view::npos || !add_members(statement, members)) return {};
  }
  return members;
}

}  // namespace lanescope::job
