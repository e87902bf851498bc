#include "gui/palette/fuzzy.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::gui {
namespace {

constexpr int none = std::numeric_limits<int>::min() / 2;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

// The best score of all ways to match the letters of a word.
int score_of_word(std::string_view word, std::string_view name) {
  constexpr int letter = 1, together = 9, at_start = 8;
  std::vector<int> best(name.size(), none), before;  // with this letter of the word at each letter of the name
  for (std::size_t w = 0; w < word.size(); ++w) {
    before = std::exchange(best, std::vector<int>(name.size(), none));
    int reached = w == 0 ? 0 : none;  // the best score of all matches that end earlier
    for (std::size_t n = 0; n < name.size(); ++n) {
      if (w > 0 && n > 0) reached = std::max(reached, before[n - 1]);
      if (lower(word[w]) != lower(name[n])) continue;
      int way = reached;
      if (w > 0 && n > 0 && before[n - 1] > none) way = std::max(way, before[n - 1] + together);
      const bool starts = n == 0 || !is_letter(name[n - 1]);
      if (way > none) best[n] = way + letter + (starts ? at_start : 0);
    }
  }
  const int most = name.empty() ? none : *std::ranges::max_element(best);
  return most <= none ? -1 : most;
}

}  // namespace

int fuzzy_score(std::string_view typed, std::string_view name) {
  int sum = 0;
  for (std::size_t at = 0; at < typed.size();) {
    const std::size_t start = typed.find_first_not_of(' ', at);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(typed.find(' ', start), typed.size());
    const int score = score_of_word(typed.substr(start, end - start), name);
    if (score < 0) return -1;
    sum += score;
    at = end;
  }
  // Among equal scores, a shorter name is better.
  return sum * 256 + std::max(0, 255 - static_cast<int>(name.size()));
}

}  // namespace lanescope::gui
