#pragma once
// Where the characters of UTF-8 text end.

#include <cstddef>
#include <string_view>

namespace lanescope {

// The bytes at the start of the text that look like one character: a first byte and the continuation bytes that it asks
// for. 0: they do not.
inline std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                             : (byte(0) & 0xf0) == 0xe0          ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

// The same for what UTF-8 allows: no longer form than needed, no surrogate, nothing above U+10FFFF.
inline std::size_t utf8_character(std::string_view text) {
  const std::size_t length = utf8_sequence(text);
  if (length < 3) return length;
  const auto first = static_cast<unsigned char>(text[0]), second = static_cast<unsigned char>(text[1]);
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return too_long || no_character ? 0 : length;
}

}  // namespace lanescope
