#include "words/messages.h"

#include <cctype>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/pattern.h"

namespace lanescope::diagram {
namespace {

constexpr Bilingual message_rows[] = {
#define MESSAGE(english, chinese) {english, chinese},
#include "words/messages.def"
};

const char* chinese_of(const std::string& pattern) {
  static const auto known = [] {
    std::unordered_map<std::string_view, const char*> all;
    for (const Bilingual& row : message_rows) all.emplace(row.english, row.chinese);
    return all;
  }();
  const auto found = known.find(pattern);
  return found == known.end() ? nullptr : found->second;
}

// True for the three bytes of a character in U+3000 to U+FFFF, the range of Chinese and its punctuation.
bool is_wide(std::string_view text, std::size_t at) {
  return at + 3 <= text.size() && static_cast<unsigned char>(text[at]) >= 0xe3 &&
         static_cast<unsigned char>(text[at]) <= 0xef;
}
bool is_character(std::string_view text, std::size_t at) {  // not punctuation
  return is_wide(text, at) && static_cast<unsigned char>(text[at]) >= 0xe4 &&
         static_cast<unsigned char>(text[at]) <= 0xe9;
}
bool is_latin(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Joins text and value: with a space between Chinese and Latin letters or digits, without one between Chinese and
// Chinese.
void append(std::string& said, std::string_view next) {
  if (said.empty() || next.empty()) {
    said += next;
    return;
  }
  const std::size_t end = said.size();
  const auto ends_wide = [&](std::size_t size) { return size >= 3 && is_wide(said, size - 3); };
  if (said.back() == ' ' && ends_wide(end - 1) && is_wide(next, 0))
    said.pop_back();
  else if (next.front() == ' ' && ends_wide(end) && is_wide(next, 1))
    next.remove_prefix(1);
  else if (ends_wide(end) && is_character(said, end - 3) && is_latin(next.front()))
    said += ' ';
  else if (is_latin(said.back()) && is_character(next, 0))
    said += ' ';
  said += next;
}

}  // namespace

std::span<const Bilingual> messages() {
  return message_rows;
}

std::string translated(const Wording& wording, Language language) {
  if (language == Language::chinese && wording.pattern().empty() && !wording.values().empty())
    return wording.values().front();
  const char* chinese =
      language == Language::chinese && !wording.pattern().empty() ? chinese_of(wording.pattern()) : nullptr;
  if (chinese == nullptr) return wording;
  if (wording.values().empty()) return chinese;
  std::string said;
  for (const PatternPiece& piece : pieces_of(chinese)) {
    const auto index = static_cast<std::size_t>(piece.value);
    if (piece.value < 0)
      append(said, piece.text);
    else if (index < wording.values().size())
      append(said, translated(wording.values()[index], language));
  }
  return said;
}

Diagnostic translated(Diagnostic diagnostic, Language language) {
  diagnostic.message = translated(diagnostic.message, language);
  diagnostic.cure = translated(diagnostic.cure, language);
  return diagnostic;
}

std::string told(const Diagnostic& diagnostic, Language language, const std::string* text) {
  const Diagnostic said = translated(diagnostic, language);
  std::string out = text == nullptr ? format(said) : format_with_source(said, *text);
  if (language != Language::chinese) return out;
  // The text before the message ends with "error: "; between message and cure stands "
  //   cure: ".
  const std::size_t message = format({said.severity, {}, said.place, {}, {}}).size();
  const std::string severity = std::string(to_string(said.severity)) + ": ", cure = "\n  cure: ";
  if (!said.cure.empty()) out.replace(message + said.message.size(), cure.size(), "\n  办法：");
  return out.replace(message - severity.size(), severity.size(),
                     said.severity == Severity::error     ? "错误："
                     : said.severity == Severity::warning ? "警告："
                                                          : "说明：");
}

}  // namespace lanescope::diagram
