// Conversion between characters and UTF-8. The C++ library calls these functions when it makes a std::filesystem::path
// from a text. They replace the C library's functions, which use the code page of msvcrt's locale, because msvcrt has
// no locale with UTF-8.

#include <cstddef>
#include <cwchar>

namespace {

constexpr auto incomplete = static_cast<std::size_t>(-2);

// The length of the sequence that starts with this byte; 1 if no sequence does.
std::size_t sequence_length(unsigned char first) {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xc2 && first < 0xe0 ? 2 : 1;
}

}  // namespace

// Each byte that is not valid UTF-8 becomes a character, because an unreadable name is better than none. A character
// above 16 bits takes two calls. The first consumes three bytes, gives the first half and leaves the second half in
// `state`; the second call consumes one byte.
extern "C" std::size_t mbrtowc(wchar_t* out, const char* text, std::size_t bytes, std::mbstate_t* state) {
  static std::mbstate_t own{};
  std::mbstate_t& left = state != nullptr ? *state : own;
  wchar_t ignored = 0;
  wchar_t& to = out != nullptr ? *out : ignored;
  if (text == nullptr) return 0;
  if (bytes == 0) return incomplete;
  if (left != 0) {
    to = static_cast<wchar_t>(left);
    left = 0;
    return 1;
  }
  const auto first = static_cast<unsigned char>(*text);
  const std::size_t length = sequence_length(first);
  unsigned long point = length == 1 ? first : first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (i == bytes) return incomplete;
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) {
      to = first;
      return 1;
    }
    point = point << 6 | (next & 0x3f);
  }
  if (point >= 0x10000) {
    to = static_cast<wchar_t>(0xd800 + ((point - 0x10000) >> 10));
    left = static_cast<std::mbstate_t>(0xdc00 + ((point - 0x10000) & 0x3ff));
    return 3;
  }
  to = static_cast<wchar_t>(point);
  return point == 0 ? 0 : length;
}

extern "C" std::size_t mbrlen(const char* text, std::size_t bytes, std::mbstate_t* state) {
  return mbrtowc(nullptr, text, bytes, state);
}

extern "C" std::size_t mbsrtowcs(wchar_t* out, const char** text, std::size_t most, std::mbstate_t* state) {
  std::mbstate_t from_start{};
  std::mbstate_t& left = state != nullptr ? *state : from_start;
  std::size_t made = 0;
  for (const char* at = *text; out == nullptr || made < most;) {
    wchar_t one = 0;
    std::size_t there = 1;
    while (there < 4 && at[there - 1] != 0) ++there;
    const std::size_t used = mbrtowc(&one, at, there, &left);
    if (out != nullptr) out[made] = one;
    if (used == 0 || used == incomplete) {
      if (out != nullptr) *text = nullptr;
      return made;
    }
    at += used;
    ++made;
    if (out != nullptr) *text = at;
  }
  return made;
}
