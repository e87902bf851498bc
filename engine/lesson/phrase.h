#pragma once
// A string for the learner, in the languages of the lessons.

#include <string>
#include <string_view>

namespace lanescope::lesson {

// The languages of a lesson, as in text.LANGUAGE.md and lesson.toml. Every lesson has the first one.
inline constexpr const char* languages[] = {"en", "zh-CN"};

struct Phrase {
  std::string en, zh;

  // The string in this language (any code that begins with "zh" is Chinese), or in English if there is no translation.
  const std::string& in(std::string_view language) const { return language.starts_with("zh") && !zh.empty() ? zh : en; }
  bool empty() const { return en.empty(); }
  // English, for callers without a language: the command line and messages.
  operator const std::string&() const { return en; }
  operator std::string_view() const { return en; }

  friend std::string operator+(const Phrase& a, const char* b) { return a.en + b; }
  friend std::string operator+(const std::string& a, const Phrase& b) { return a + b.en; }
};

}  // namespace lanescope::lesson
