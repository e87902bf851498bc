#include "gui/parts/markdown_found.h"

#include <algorithm>

namespace lanescope::gui {

void mark_matches(const Ui& ui, FoundHere* found, TypeStyle type, std::string_view piece, std::size_t offset, float x,
                  float top, float bottom) {
  if (found == nullptr || found->page < 0) return;
  ui.window.find.of(found->page, found->unit, [&](const FoundText& one, bool current) {
    const std::size_t begin = std::max(one.begin, offset), end = std::min(one.end, offset + piece.size());
    if (begin >= end) return;
    const float left = x + ui.look.measure(type, piece.substr(0, begin - offset)).x,
                width = ui.look.measure(type, piece.substr(begin - offset, end - begin)).x;
    draw_found(ui, ImGui::GetWindowDrawList(), {left - ui.px(1), top}, {left + width + ui.px(1), bottom}, current);
    if (current && found->chosen_y < 0) found->chosen_y = (top + bottom) / 2;
  });
}

void show_match(const Ui& ui, const FoundHere& found) {
  if (found.chosen_y >= 0 && ui.window.find.show > 0)
    ImGui::SetScrollFromPosY(found.chosen_y - ImGui::GetWindowPos().y, 0.4f);
}

std::string text_of(const Spans& spans) {
  std::string text;
  for (const MarkdownSpan& span : spans) text += span.text;
  return text;
}

std::string code_text(const MarkdownBlock& block) {
  std::string text = text_of(block.spans);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<std::string> texts_of(const std::vector<MarkdownBlock>& blocks) {
  using Kind = MarkdownBlock::Kind;
  std::vector<std::string> texts;
  for (const MarkdownBlock& block : blocks) {
    if (block.kind == Kind::table)
      for (const auto& row : block.rows)
        for (const Spans& cell : row) texts.push_back(text_of(cell));
    else if (block.kind != Kind::rule)
      texts.push_back(block.kind == Kind::code ? code_text(block) : text_of(block.spans));
  }
  return texts;
}

}  // namespace lanescope::gui
