#pragma once
// The state of Ctrl + F for the panels that it searches: the wanted text and the current match.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gui {

// A match in one of the searched texts (a paragraph of the lesson, a line of code), in bytes.
struct FoundText {
  int page = -1;         // of the lesson; -1: the code on screen
  std::size_t unit = 0;  // index of the text
  std::size_t begin = 0, end = 0;
  friend bool operator==(const FoundText&, const FoundText&) = default;
};

struct FindState {
  bool asked = false;  // open it, or focus its field again
  bool open = false;
  std::string wanted;          // empty: no matches are marked
  std::vector<FoundText> all;  // in the lesson page by page, then in the code
  std::size_t current = 0;     // index in `all`, if it is not empty
  int show = 0;                // frames in which to scroll to the current match
  bool unseen = false;         // the current match took the place of one that is gone: nobody went to it yet

  // The current match is drawn as such only after somebody went to it.
  bool is_current(std::size_t index) const { return index == current && !unseen; }
  const FoundText* chosen() const { return open && current < all.size() ? &all[current] : nullptr; }
  // Calls `act` for the matches in one text.
  template <typename Act>
  void of(int page, std::size_t unit, Act&& act) const {
    if (!open) return;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].page == page && all[i].unit == unit) act(all[i], is_current(i));
  }
};

// Appends the matches of `wanted` in a text; ignores the case of Latin letters.
void find_in(std::string_view text, std::string_view wanted, int page, std::size_t unit, std::vector<FoundText>& into);

}  // namespace lanescope::gui
