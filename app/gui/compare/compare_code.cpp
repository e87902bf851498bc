// The whole text of both sides of the comparing view, line by line, with the differences.

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"

namespace lanescope::gui {

void CompareView::code(const Ui& ui, const Side& side, bool is_a, const PanelRect& rect) {
  if (texts_.a != a_.result->serial || texts_.b != b_.result->serial)
    texts_ = {a_.result->serial, b_.result->serial, diff_of(a_.result->key.source, b_.result->key.source), 0, 0};
  const Palette& p = ui.colours();
  const float row = ui.px(22);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, ui.px(4)));
  ImGui::BeginChild(is_a ? "code a" : "code b", {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const std::optional<std::size_t> at = event(is_a);
  const int line = at ? side.result->outcome.first().trace.sites[events(side)[*at].site].line : 0;
  const auto number = [is_a](const DiffRow& one) { return is_a ? one.a : one.b; };
  // A's step scrolls both texts, and so does the mouse wheel over either one.
  if (is_a && line != texts_.shown_line) {
    texts_.shown_line = line;
    const auto here = std::ranges::find(texts_.rows, line, number);
    const auto index = static_cast<float>(here - texts_.rows.begin());
    if (here != texts_.rows.end()) texts_.scroll = std::max(0.0f, std::round(index * row - rect.height / 3));
    ImGui::SetScrollY(texts_.scroll);
  } else if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) || ImGui::IsWindowFocused()) {
    texts_.scroll = ImGui::GetScrollY();
  } else {
    ImGui::SetScrollY(texts_.scroll);
  }
  const auto lines = split(side.result->key.source, '\n');
  const Role role = role_of(is_a);
  // What only B has came with B, unless B is the version before: then it is gone.
  const Compared* other = ui.session.selection.comparison();
  const bool is_older = (other != nullptr && other->before) != is_a;
  const float width = ImGui::GetContentRegionAvail().x, x = ImGui::GetCursorScreenPos().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(texts_.rows.size()), row);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const DiffRow& one = texts_.rows[static_cast<std::size_t>(i)];
      const float y0 = ImGui::GetCursorScreenPos().y, y = y0 + row / 2;
      const int n = number(one);
      if (one.changed) {
        const ImU32 ground = n == 0 ? p.raised : mix(p.panel, ui.look.role(role), 0.16f);
        list->AddRectFilled({x, y0}, {x + width, y0 + row}, ground);
      }
      if (n > 0 && n == line) {
        list->AddRectFilled({x + ui.px(1), y0}, {x + width, y0 + row}, one.changed ? 0 : p.accent_soft);
        list->AddRectFilled({x + ui.px(1), y0}, {x + ui.px(4), y0 + row}, p.accent);
      }
      bool cut = false;
      std::string_view text;
      if (n > 0) {
        text = without_mark(lines[static_cast<std::size_t>(n) - 1]);
        draw_text(list, ui.look, type::number, n == line ? p.text : p.faint, {x + ui.px(36), y}, std::to_string(n),
                  HAlign::right);
        if (one.changed)
          draw_text(list, ui.look, type::code, ui.look.role(role), {x + ui.px(45), y}, is_older ? "−" : "+",
                    HAlign::centre);
        draw_text(list, ui.look, type::code, one.changed || n == line ? p.text : mix(p.dim, p.text, 0.6f),
                  {x + ui.px(56), y}, text, HAlign::left, width - ui.px(64), &cut);
      }
      ImGui::Dummy({width, row});
      if (cut) hint(ui.look, text);
    }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
