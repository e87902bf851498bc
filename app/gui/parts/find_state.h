#pragma once
// Ctrl + F, as the panels that it searches see it: what is looked for, and the match that is gone to.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gui {

// A stretch of one of the texts that are searched: a paragraph of the lesson, a line of code. In bytes.
struct FoundText {
  int page = -1;         // of the lesson; -1: of the code on screen
  std::size_t unit = 0;  // which text
  std::size_t begin = 0, end = 0;
  friend bool operator==(const FoundText&, const FoundText&) = default;
};

struct FindState {
  bool asked = false;  // to be opened, or its field to be focused again
  bool open = false;
  std::string wanted;          // empty: nothing is marked
  std::vector<FoundText> all;  // of the lesson, page by page, then of the code
  std::size_t current = 0;     // of all, where there is any
  int show = 0;                // frames in which the current one is to be scrolled to

  const FoundText* chosen() const { return open && current < all.size() ? &all[current] : nullptr; }
  // Marks of one text.
  template <typename Act>
  void of(int page, std::size_t unit, Act&& act) const {
    if (!open) return;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].page == page && all[i].unit == unit) act(all[i], i == current);
  }
};

// Appends the places of `wanted` in a text; Latin letters in either case.
void find_in(std::string_view text, std::string_view wanted, int page, std::size_t unit, std::vector<FoundText>& into);

}  // namespace lanescope::gui
