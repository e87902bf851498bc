#pragma once
// The texts of a page that Ctrl + F searches, and its matches where they are drawn.

#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/markdown.h"

namespace lanescope::gui {

using Spans = std::vector<MarkdownSpan>;

// The matches of Ctrl + F in the texts of a page, in the order in which they are drawn.
struct FoundHere {
  int page = -1;
  std::size_t unit = 0;  // the text drawn next
  float chosen_y = -1;   // of the match that is gone to, in pixels
};

// Marks those in a piece of a text, which begins at byte `offset` of it: its first letter is at `x`, its row between
// `top` and `bottom`.
void mark_matches(const Ui& ui, FoundHere* found, TypeStyle type, std::string_view piece, std::size_t offset, float x,
                  float top, float bottom);

// Scrolls to the match that is gone to, once all texts of `found` are drawn.
void show_match(const Ui& ui, const FoundHere& found);

std::string text_of(const Spans& spans);
std::string code_text(const MarkdownBlock& block);  // without the line ends behind it

}  // namespace lanescope::gui
