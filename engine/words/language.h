#pragma once
// The languages of the pictures. A scene is made in one of them, so the language can change at run time.

#include <cstdint>
#include <string_view>

namespace lanescope::diagram {

enum class Language : std::uint8_t { english, chinese };

const char* code_of(Language language);       // "en", "zh-CN": as in a lesson's texts
Language language_of(std::string_view code);  // anything that starts with "zh" is Chinese

// A row of a catalogue: the same text in both languages.
struct Bilingual {
  const char *english, *chinese;
  constexpr const char* in(Language language) const { return language == Language::chinese ? chinese : english; }
};

}  // namespace lanescope::diagram
