// What Ctrl + F finds in the code, and where it is highlighted.

#include <algorithm>

#include "gui/code/editor_buffer.h"

namespace lanescope::gui {
namespace {

// The editor counts letters, not bytes.
std::size_t letters(std::string_view text, std::size_t bytes) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text.substr(0, bytes), [](char c) { return (c & 0xc0) != 0x80; }));
}

void find_in_lines(TextEditor& editor, std::string_view wanted, std::vector<FoundText>& into) {
  for (std::size_t i = 0; i < editor.GetLineCount(); ++i) find_in(editor.GetLineText(i), wanted, -1, i, into);
}

// The NOPs that fill the end have no rows.
std::size_t rows_of(const diagram::MachineCode& code) {
  std::size_t rows = code.instructions.size();
  while (rows > 0 && code.instructions[rows - 1].text.starts_with("NOP")) --rows;
  return rows;
}

}  // namespace

void CodePanel::find(const Ui& ui, std::string_view wanted, std::vector<FoundText>& into) {
  const RunResult* result = ui.session.runs.shown();
  switch (ui.window.code_tab) {
    case CodeTab::cuda:
    case CodeTab::linked:  // searched where it is read
      return find_in_lines(editor(ui.session), wanted, into);
    case CodeTab::ptx:
      for (std::size_t i = 0; result != nullptr && i < result->ptx.size(); ++i)
        find_in(result->ptx[i].text, wanted, -1, i, into);
      return;
    case CodeTab::sass:
      for (std::size_t i = 0; result != nullptr && i < rows_of(sass_code_); ++i)
        find_in(sass_code_.instructions[i].text, wanted, -1, i, into);
      return;
    case CodeTab::count_:
      return;
  }
}

// Drawn below the editor's text, whose background is transparent.
void CodePanel::mark_found(const Ui& ui, Buffer& b, ImVec2 from, ImVec2 to) {
  const FindState& find = ui.window.find;
  if (!find.open) return;
  TextEditor& editor = b.editor;
  const auto place = [&](const FoundText& one, std::size_t bytes) {
    return TextEditor::DocPos{one.unit, letters(editor.GetLineText(one.unit), bytes)};
  };
  // The text may have been edited since it was searched in this frame.
  const auto is_there = [&](const FoundText& one) {
    if (one.page >= 0 || one.unit >= editor.GetLineCount()) return false;
    const std::string line = editor.GetLineText(one.unit);
    std::vector<FoundText> again;
    if (one.end <= line.size())
      find_in(std::string_view(line).substr(one.begin, one.end - one.begin), find.wanted, 0, 0, again);
    return !again.empty();
  };
  if (const FoundText* chosen = find.chosen(); chosen != nullptr && find.show > 0 && is_there(*chosen)) {
    editor.SelectRegion(place(*chosen, chosen->begin), place(*chosen, chosen->end));
    editor.ScrollToLine(chosen->unit, TextEditor::Scroll::alignMiddle);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(from, to, true);
  const float row = editor.GetLineHeight();
  const std::size_t first = editor.VisPos2DocPos({editor.GetFirstVisibleRow(), 0}).line,
                    last = editor.VisPos2DocPos({editor.GetLastVisibleRow(), 0}).line;
  for (std::size_t i = 0; i < find.all.size(); ++i) {
    const FoundText& one = find.all[i];
    if (one.unit < first || one.unit > last || !is_there(one)) continue;
    const TextEditor::DocPos begin = place(one, one.begin), end = place(one, one.end);
    if (!editor.IsDocPosVisible(begin)) continue;
    ImVec2 a = editor.DocPos2ScreenPos(begin);
    const ImVec2 e = editor.DocPos2ScreenPos(end);
    // The position before the first letter of a wrapped row equals the one after the last letter of the row above.
    if (const ImVec2 next = editor.DocPos2ScreenPos({begin.line, begin.index + 1}); next.y > a.y)
      a = {next.x - ui.look.measure(type::code, "0").x, next.y};
    // A match that is broken over two rows is highlighted in the first.
    draw_found(ui, list, a, {e.y > a.y ? to.x : e.x, a.y + row}, find.is_current(i));
  }
  list->PopClipRect();
}

void CodePanel::mark_found(const Ui& ui, ImVec2 origin, float width) {
  const FindState& find = ui.window.find;
  const float k = ui.look.scale(), row = ui.px(20);
  for (std::size_t i = 0; find.open && i < find.all.size(); ++i) {
    const FoundText& one = find.all[i];
    if (one.page >= 0 || one.unit >= sass_code_.instructions.size()) continue;
    const float y = diagram::machine_code_row(sass_code_, one.unit, ui.picture(sass_shown_.width)) * k;
    draw_found(ui, ImGui::GetWindowDrawList(), {origin.x, origin.y + y}, {origin.x + width, origin.y + y + row},
               find.is_current(i));
    if (find.is_current(i) && find.show > 0) ImGui::SetScrollFromPosY(origin.y + y - ImGui::GetWindowPos().y, 0.4f);
  }
}

}  // namespace lanescope::gui
