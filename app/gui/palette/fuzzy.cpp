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

// The best scores of the matches that end with this letter of the name. from_start: the latest letters match from the
// start of the name's word on. from_inside: they begin inside the word, so the match continues only with the next
// letter or in another word.
struct EndsHere {
  int from_start = none, from_inside = none;
  int best() const { return std::max(from_start, from_inside); }
};

// The best score of all ways to match the letters of a word.
int score_of_word(std::string_view word, std::string_view name) {
  constexpr int letter = 1, together = 9, at_start = 8;
  std::vector<EndsHere> ends(name.size()), before;
  for (std::size_t w = 0; w < word.size(); ++w) {
    before = std::exchange(ends, std::vector<EndsHere>(name.size()));
    int reached = w == 0 ? 0 : none, in_word = none;  // the best of all earlier ends; of those in this word
    for (std::size_t n = 0; n < name.size(); ++n) {
      const bool starts = n == 0 || !is_letter(name[n - 1]);
      if (w > 0 && n > 0) reached = std::max(reached, before[n - 1].best());
      in_word = starts ? none : std::max(in_word, before[n - 1].from_start);
      if (lower(word[w]) != lower(name[n])) continue;
      EndsHere& here = ends[n];
      if (starts)
        here.from_start = std::max(reached, w > 0 && n > 0 ? before[n - 1].best() + together : none);
      else if (w == 0)
        here.from_inside = 0;
      else
        here = {std::max(in_word, before[n - 1].from_start + together), before[n - 1].from_inside + together};
      for (int* way : {&here.from_start, &here.from_inside})
        *way = *way > none / 2 ? *way + letter + (starts ? at_start : 0) : none;
    }
  }
  int most = none;
  for (const EndsHere& end : ends) most = std::max(most, end.best());
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
