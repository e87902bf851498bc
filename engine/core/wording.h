#pragma once
// A text in English that remembers the pattern and the values which made it, so that it can be said in another language
// without taking a finished sentence apart: diagram::translated() looks the pattern up. core/worded.h makes them.

#include <string>
#include <vector>

namespace lanescope {

// Converts to the English text. `+` gives a plain English string that can no longer be translated.
class Wording : public std::string {
 public:
  Wording() = default;
  // A sentence or word of the program's own: its own pattern, without places.
  Wording(const char* pattern) : std::string(pattern), pattern_(pattern) {}
  // Text from elsewhere: a compiler, the system, a name in the learner's code. The same in every language.
  Wording(std::string words) : std::string(std::move(words)) {}
  // `english` is what the pattern gives with these values.
  Wording(std::string english, std::string pattern, std::vector<Wording> values)
      : std::string(std::move(english)), pattern_(std::move(pattern)), values_(std::move(values)) {}

  // Made in two languages from the start.
  static Wording bilingual(std::string english, std::string chinese) {
    return {std::move(english), "", {Wording(std::move(chinese))}};
  }

  // As it stands in the source, with the places of fmt ("{}", "{0}", "{:x}"); empty for what others said, and for what
  // is bilingual: its only value is the Chinese.
  const std::string& pattern() const { return pattern_; }
  // What stands at the places, by number; a value may be a wording itself.
  const std::vector<Wording>& values() const { return values_; }

  // A change to the English alone would leave the pattern behind.
  template <typename T>
  Wording& operator+=(T&&) = delete;
  template <typename... T>
  void append(T&&...) = delete;
  template <typename... T>
  void erase(T&&...) = delete;
  template <typename... T>
  void insert(T&&...) = delete;
  template <typename... T>
  void replace(T&&...) = delete;
  template <typename... T>
  void resize(T&&...) = delete;
  void clear() = delete;
  void push_back(char) = delete;

 private:
  std::string pattern_;
  std::vector<Wording> values_;
};

// A pattern with these texts at its places: "{}" is the next, "{1}" and "{1:x}" the second, "{{" is a brace. A place
// that has no value stays empty.
std::string with_values(const std::string& pattern, const std::vector<std::string>& values);

}  // namespace lanescope
