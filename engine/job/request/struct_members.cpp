#include "job/request/struct_members.h"

#include <algorithm>

#include "compile/host/launch_scan.h"
#include "core/text.h"
#include "job/request/name_hints.h"

namespace lanescope::job {

namespace {

bool has_one_word(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_words(text, word); });
}

// "int width, height" → "int width", "int height".
bool add_members(std::string_view statement, std::vector<std::string>& members) {
  const std::size_t comma = statement.find(',');
  if (comma != std::string_view::npos && contains(statement, "[")) return false;
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

// Those between the brackets of a struct.
std::vector<std::string> members_in(std::string_view body) {
  if (has_one_word(body, {"virtual", "union", "alignas", "__align__"})) return {};
  std::vector<std::string> members;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = body.find_first_of(";{", at);
    if (end == std::string_view::npos) break;
    std::string_view statement = trimmed(body.substr(at, end - at));
    const bool is_function = contains(statement, "(");
    if (contains(statement, "(*")) return {};  // a pointer to a function or to an array
    if (body[end] == '{') {                    // a function's body, a struct, or a default value
      at = compile::behind_bracket(body, end);
      if (at == std::string_view::npos || !is_function) return {};
      continue;
    }
    at = end + 1;
    for (const std::string_view access : {"public:", "private:", "protected:"})
      if (statement.starts_with(access)) statement = trimmed(statement.substr(access.size()));
    if (statement.empty() || is_function || has_one_word(statement, {"static", "using", "typedef", "friend"})) continue;
    statement = trimmed(statement.substr(0, statement.find('=')));
    if (contains(statement, ":") || contains(statement, "&") || !add_members(statement, members)) return {};
  }
  return members;
}

// "struct M" → "M"; empty for "typedef struct".
std::string_view name_in_head(std::string_view head) {
  std::size_t begin = head.size();
  while (begin > 0 && is_name_char(head[begin - 1])) --begin;
  const std::string_view name = head.substr(begin);
  return name == "struct" || name == "class" ? std::string_view() : name;
}

}  // namespace

void add_struct(StructMembers& to, std::string_view code, const compile::ScannedDeclaration& declaration) {
  const std::string_view whole = code.substr(declaration.begin, declaration.end - declaration.begin);
  const std::size_t open = whole.find('{');
  const std::string_view head = trimmed(whole.substr(0, open));
  if (open == std::string_view::npos || !has_one_word(head, {"struct", "class"}) ||
      has_one_word(head, {"template", "alignas", "__align__"}) || contains(head, "(") || contains(head, ":"))
    return;
  const std::size_t behind = compile::behind_bracket(whole, open);
  if (behind == std::string_view::npos) return;
  const std::vector<std::string> members = members_in(whole.substr(open + 1, behind - open - 2));
  const auto add = [&](std::string_view name) {
    const auto [known, is_new] = to.try_emplace(std::string(name), members);
    if (!is_new && known->second != members) known->second.clear();
  };
  if (const std::string_view name = name_in_head(head); !name.empty()) add(name);
  if (declaration.kind == compile::ScannedDeclaration::Kind::alias) add(declaration.name);
}

}  // namespace lanescope::job
