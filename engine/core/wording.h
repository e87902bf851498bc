#pragma once
// English text that remembers the pattern and the values it was made from, so that it can be translated without parsing
// a finished sentence: diagram::translated() looks up the pattern. core/worded.h makes wordings.

#include <string>
#include <vector>

namespace lanescope {

// Converts to the English text. `+` gives a plain English string that can no longer be translated.
class Wording : public std::string {
 public:
  Wording() = default;
  // A sentence or word of this program: it is its own pattern, without places.
  Wording(const char* pattern) : std::string(pattern), pattern_(pattern) {}
  // Text from elsewhere: a compiler, the system, a name in the learner's code. The same in every language.
  Wording(std::string words) : std::string(std::move(words)) {}
  // `english` is the pattern filled with these values.
  Wording(std::string english, std::string pattern, std::vector<Wording> values)
      : std::string(std::move(english)), pattern_(std::move(pattern)), values_(std::move(values)) {}

  // A text that is given in two languages.
  static Wording bilingual(std::string english, std::string chinese) {
    return {std::move(english), "", {Wording(std::move(chinese))}};
  }

  // The pattern as in the source, with fmt's places ("{}", "{0}", "{:x}"). Empty for text from elsewhere and for
  // bilingual text, whose only value is the Chinese.
  const std::string& pattern() const { return pattern_; }
  // The values of the places, by index. A value may be a wording itself.
  const std::vector<Wording>& values() const { return values_; }

  // Deleted: a change to the English alone would not match the pattern any more.
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

// The pattern with these texts in its places: "{}" is the next, "{1}" and "{1:x}" the second, "{{" is a brace. A place
// without a value stays empty.
std::string with_values(const std::string& pattern, const std::vector<std::string>& values);

}  // namespace lanescope
