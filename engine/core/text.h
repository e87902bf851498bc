#pragma once
// Helpers for reading and writing text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

constexpr std::string_view blanks = " \t\r\n\f\v";

// Without surrounding blanks. If there are only blanks: the empty text at their end, so that its position is still
// known.
constexpr std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Without any blanks, for names that may be written "f<int,4>" or "f<int, 4>".
inline std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (blanks.find(c) == std::string_view::npos) out += c;
  return out;
}

// "1,024".
inline std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

constexpr bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The parts between separators: one more than there are separators, so an empty text has one empty part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Appends the part with its length before it, so that different lists never make the same text: keys and files.
inline void add_part(std::string& to, std::string_view part) {
  to += std::to_string(part.size()) + ':';
  to += part;
}
// Their number first.
inline void add_parts(std::string& to, const std::vector<std::string>& parts) {
  add_part(to, std::to_string(parts.size()));
  for (const std::string& part : parts) add_part(to, part);
}

// True for a character of a C++ name: a letter, a digit or an underscore.
constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace lanescope
