#pragma once
// A string that a learner reads, in the languages that lessons are written in.

#include <string>
#include <string_view>

namespace lanescope::lesson {

// The languages of a lesson, as in text.LANGUAGE.md and lesson.toml; the first is every lesson's.
inline constexpr const char* languages[] = {"en", "zh-CN"};

struct Phrase {
  std::string en, zh;

  // In this language ("zh-CN"; anything that begins with "zh" is Chinese), or in English where it was not translated.
  const std::string& in(std::string_view language) const { return language.starts_with("zh") && !zh.empty() ? zh : en; }
  bool empty() const { return en.empty(); }
  // English, for those who speak nothing else: the command line and messages.
  operator const std::string&() const { return en; }
  operator std::string_view() const { return en; }

  friend std::string operator+(const Phrase& a, const char* b) { return a.en + b; }
  friend std::string operator+(const std::string& a, const Phrase& b) { return a + b.en; }
};

}  // namespace lanescope::lesson
