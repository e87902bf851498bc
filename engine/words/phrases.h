#pragma once
// The texts of pictures in both languages: one row of phrases.def per phrase, filled with values.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lane_mask.h"
#include "words/language.h"

namespace lanescope::diagram {

enum class Phrase : std::uint16_t {
#define PHRASE(name, english, chinese) name,
#include "words/phrases.def"
  count_
};

const char* pattern_of(Phrase phrase, Language language);

// A value of a phrase: a number, written with thousands separators, which selects singular or plural; or a text.
struct Value {
  Value(std::unsigned_integral auto number) : Value(static_cast<std::uint64_t>(number), 0) {}
  Value(std::signed_integral auto number) : Value(static_cast<std::uint64_t>(number), 0) {}
  Value(std::string text_);
  Value(std::string_view text_) : Value(std::string(text_)) {}
  Value(const char* text_) : Value(std::string(text_)) {}
  std::string text;
  bool one = false;

 private:
  Value(std::uint64_t number, int);
};

// Fills a pattern: `{0}` is the first value, `{}` the next; `{0|lane|lanes}` is the first word if that value is 1, else
// the second. The words may contain places.
std::string filled(std::string_view pattern, const std::vector<Value>& values);

// Produces texts in one language.
class Say {
 public:
  explicit Say(Language language) : language_(language) {}
  Language language() const { return language_; }

  // The phrase with its values in place.
  template <typename... Values>
  std::string operator()(Phrase phrase, Values&&... values) const {
    return fill(phrase, {Value(std::forward<Values>(values))...});
  }

  // "0–31", "0, 4 and 8–11"; "" if empty. More than four runs: only their number, "12 lanes".
  std::string lane_set(LaneMask lanes) const;
  // The same with its noun: "lane 5", "lanes 0–7", "12 lanes".
  std::string lanes_named(LaneMask lanes) const;
  // For the start of a sentence: "Lane 5", "Lanes 0–7", "12 lanes".
  std::string at_start(std::string text) const;
  // Joins two sentences.
  std::string then(const std::string& sentence, const std::string& next) const;
  // Joins parts of a sentence: "4 are guarded off, 8 wait".
  std::string listed(const std::vector<std::string>& parts) const;

 private:
  std::string fill(Phrase phrase, const std::vector<Value>& values) const;
  Language language_;
};

}  // namespace lanescope::diagram
