#include "compile/host/nvcc_spelling.h"

#include <algorithm>
#include <vector>

#include "compile/host/source_scan.h"
#include "compile/host/source_tokens.h"
#include "core/text.h"

namespace lanescope::compile {

namespace {

bool part_linkage(std::string& text, const std::vector<Token>& tokens) {
  bool changed = false;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::size_t literal = tokens[i + 1].offset, behind = tokens[i + 2].offset;
    if (tokens[i].text != "extern" || tokens[i + 1].kind != Token::Kind::literal ||
        tokens[i + 2].kind != Token::Kind::name)
      continue;
    if (literal + tokens[i + 1].text.size() != behind || (text[literal - 1] != ' ' && text[literal - 1] != '\t'))
      continue;
    std::rotate(text.begin() + static_cast<std::ptrdiff_t>(literal) - 1,
                text.begin() + static_cast<std::ptrdiff_t>(literal),
                text.begin() + static_cast<std::ptrdiff_t>(behind));
    changed = true;
  }
  return changed;
}

// After these tokens, `(name) {` can only be a compound literal, not a condition or a parameter list.
bool begins_a_value(const Token& before) {
  for (const char* text : {"=", ",", "(", "?", "return"})
    if (before.text == text) return true;
  return false;
}

bool is_type_name(const Token& token) {
  return token.kind == Token::Kind::name && token.text != "struct" && token.text != "union";
}

bool unwrap_compound_literals(std::string& text, const std::vector<Token>& tokens) {
  bool changed = false;
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    if (tokens[i].text != "(" || !begins_a_value(tokens[i - 1])) continue;
    std::size_t at = i + 1;
    const bool has_key = tokens[at].text == "struct" || tokens[at].text == "union";
    if (has_key) ++at;
    while (at + 2 < tokens.size() && is_type_name(tokens[at]) && tokens[at + 1].text == "::") at += 2;
    if (at + 2 >= tokens.size() || !is_type_name(tokens[at]) || tokens[at + 1].text != ")" ||
        tokens[at + 2].text != "{")
      continue;
    text[tokens[i].offset] = ' ';
    if (has_key)
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(tokens[i + 1].offset), tokens[i + 1].text.size(), ' ');
    text[tokens[at + 1].offset] = ' ';
    changed = true;
  }
  return changed;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

bool join_lines_for_nvrtc(std::string& text) {
  if (text.find("R\"") != std::string::npos) return false;  // white space matters within raw strings
  bool changed = false;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
    std::size_t last = end;
    while (last > 0 && is_blank(text[last - 1])) --last;
    if (last == end || last == 0 || text[last - 1] != '\\' || (end - last == 1 && text[last] == '\r')) continue;
    const std::size_t behind = text[end - 1] == '\r' ? end - 1 : end;
    std::swap(text[last - 1], text[behind - 1]);
    changed = true;
  }
  return changed;
}

bool spell_for_nvrtc(std::string& text) {
  const std::string code = blank_non_code(text);
  const std::vector<Token> tokens = tokenise(code);
  const bool parted = part_linkage(text, tokens);
  return unwrap_compound_literals(text, tokens) || parted;
}

bool call_cudas_own(std::string& text, std::string_view name, int line, int column) {
  const std::size_t at = offset_of(text, line, column);
  if (at == std::string::npos || column < 1) return false;
  const std::string_view code = text;
  if (at >= code.size() || !code.substr(at).starts_with(name)) return false;  // the macro that names it is elsewhere
  const auto is_part = [&](std::size_t i) { return i < code.size() && is_name_char(code[i]); };
  if (is_part(at + name.size()) || (at > 0 && is_part(at - 1))) return false;
  const std::size_t before = at == 0 ? std::string::npos : code.find_last_not_of(" \t\r\n", at - 1);
  if (before != std::string::npos && (code[before] == ':' || code[before] == '.' || code.substr(before - 1, 2) == "->"))
    return false;
  text.insert(at, "::");
  return true;
}

}  // namespace lanescope::compile
