#pragma once
// A lesson's Markdown as blocks of styled spans (parsed by md4c), and their layout in the window's fonts.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// The prefixes of link targets.
inline constexpr std::string_view number_link = "number:", variant_link = "variant:";

struct MarkdownSpan {
  std::string text;  // "\n" alone = a line break
  bool strong = false, emphasis = false, code = false;
  std::string link;
};
struct MarkdownBlock {
  enum class Kind : std::uint8_t { heading, paragraph, item, code, table, rule };
  Kind kind = Kind::paragraph;
  int level = 0;   // heading: 1 … 6; item: nesting depth from 0
  int number = 0;  // of an ordered item; 0 = a bullet
  bool quoted = false;
  std::vector<MarkdownSpan> spans;
  std::vector<std::vector<std::vector<MarkdownSpan>>> rows;  // table: rows of cells; the first row is the head
};

// Never fails: anything that is not Markdown is text. Raw HTML and comments are left out.
std::vector<MarkdownBlock> parse_markdown(std::string_view markdown);

// The texts of paragraphs, headings, cells and code, in the order of a MarkdownView.
std::vector<std::string> texts_of(const std::vector<MarkdownBlock>& blocks);

struct FoundHere;

// A sentence on a card, with code between backticks in its own font; as wide as the content region. `found`: the text's
// matches of Ctrl + F; positions do not count backticks.
void paragraph_with_code(const Ui& ui, TypeStyle style, ImU32 colour, std::string_view text,
                         FoundHere* found = nullptr);

// A parsed text, painted at the cursor as wide as the content region.
class MarkdownView {
 public:
  // `page`: the page whose matches of Ctrl + F are marked; < 0: none.
  // `after_lead` is called once, after the first paragraph and what it announces with a colon. `on_link` is called with
  // the target of a link that was clicked or chosen by keyboard.
  void show(const Ui& ui, const std::string& markdown, float alpha = 1, const std::function<void()>& after_lead = {},
            const std::function<void(const std::string&)>& on_link = {}, int page = -1);

 private:
  std::string source_;
  std::vector<MarkdownBlock> blocks_;
};

}  // namespace lanescope::gui
