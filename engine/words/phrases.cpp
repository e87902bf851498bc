#include "words/phrases.h"

#include <algorithm>

#include "core/text.h"

namespace lanescope::diagram {
namespace {

constexpr Bilingual rows[] = {
#define PHRASE(name, english, chinese) {english, chinese},
#include "words/phrases.def"
};
static_assert(sizeof rows / sizeof rows[0] == static_cast<std::size_t>(Phrase::count_));

struct Run {
  int first = 0, last = 0;
};

std::vector<Run> runs_of(LaneMask lanes) {
  std::vector<Run> runs;
  lanes.for_each([&](int lane) {
    if (!runs.empty() && runs.back().last == lane - 1) {
      runs.back().last = lane;
    } else {
      runs.push_back({lane, lane});
    }
  });
  return runs;
}

}  // namespace

const char* code_of(Language language) {
  return language == Language::chinese ? "zh-CN" : "en";
}

Language language_of(std::string_view code) {
  return code.starts_with("zh") ? Language::chinese : Language::english;
}

const char* pattern_of(Phrase phrase, Language language) {
  return rows[static_cast<std::size_t>(phrase)].in(language);
}

Value::Value(std::string text_) : text(std::move(text_)), one(text == "1") {}

Value::Value(std::uint64_t number, int) : text(grouped(number)), one(number == 1) {}

std::string filled(std::string_view pattern, const std::vector<Value>& values) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '{') {
      const std::size_t place = std::min(pattern.find('{', at), pattern.size());
      out.append(pattern, at, place - at);
      at = place;
      continue;
    }
    const bool counts_on = at + 1 < pattern.size() && pattern[at + 1] == '}';
    const auto index = counts_on ? next++ : static_cast<std::size_t>(pattern[at + 1] - '0');
    std::size_t depth = 1, end = at + 1, bar = 0;  // bar: position between the two words
    for (; end < pattern.size(); ++end) {
      if (pattern[end] == '{') ++depth;
      if (pattern[end] == '}' && --depth == 0) break;
      if (pattern[end] == '|' && depth == 1 && end > at + 2) bar = end;
    }
    const Value* value = index < values.size() ? &values[index] : nullptr;
    if (value != nullptr && bar == 0) out += value->text;
    if (value != nullptr && bar != 0) {
      const std::size_t from = value->one ? at + 3 : bar + 1, to = value->one ? bar : end;
      out += filled(pattern.substr(from, to - from), values);
    }
    at = end + 1;
  }
  return out;
}

std::string Say::fill(Phrase phrase, const std::vector<Value>& values) const {
  return filled(pattern_of(phrase, language_), values);
}

std::string Say::lane_set(LaneMask lanes) const {
  const std::vector<Run> runs = runs_of(lanes);
  if (runs.size() > 4) return (*this)(Phrase::lane_count, lanes.count());
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) text += (*this)(i + 1 == runs.size() ? Phrase::list_and : Phrase::list_comma);
    text += std::to_string(runs[i].first);
    if (runs[i].last > runs[i].first) text += "–" + std::to_string(runs[i].last);
  }
  return text;
}

std::string Say::lanes_named(LaneMask lanes) const {
  if (runs_of(lanes).size() > 4) return lane_set(lanes);
  return (*this)(lanes.count() == 1 ? Phrase::lane_number : Phrase::lane_numbers, lane_set(lanes));
}

std::string Say::at_start(std::string text) const {
  if (language_ == Language::english && !text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string Say::then(const std::string& sentence, const std::string& next) const {
  return next.empty() ? sentence : sentence + (*this)(Phrase::next_sentence) + next;
}

std::string Say::listed(const std::vector<std::string>& parts) const {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : (*this)(Phrase::clause_comma)) + part;
  return text;
}

}  // namespace lanescope::diagram
