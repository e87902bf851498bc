#pragma once
// The texts of a page for Ctrl + F, and its matches where they are drawn.

#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/markdown.h"

namespace lanescope::gui {

using Spans = std::vector<MarkdownSpan>;

// The matches of Ctrl + F in the texts of a page, in drawing order.
struct FoundHere {
  int page = -1;
  std::size_t unit = 0;  // index of the text drawn next
  float chosen_y = -1;   // y of the current match, in pixels
};

// Marks the matches in a piece of text that begins at byte `offset` of the text. Its first letter is at `x`, its row
// between `top` and `bottom`.
void mark_matches(const Ui& ui, FoundHere* found, TypeStyle type, std::string_view piece, std::size_t offset, float x,
                  float top, float bottom);

// Scrolls to the current match; call when all texts of `found` are drawn.
void show_match(const Ui& ui, const FoundHere& found);

std::string text_of(const Spans& spans);
std::string code_text(const MarkdownBlock& block);  // without line ends after it

}  // namespace lanescope::gui
