// What a side of the comparing view shows where it has no such step: the steps that it has, each to be gone to, and
// where among them the other side is.

#include <algorithm>
#include <string>

#include "core/text.h"
#include "core/worded.h"
#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"

namespace lanescope::gui {
namespace {

constexpr float absent_row = 26;

// The line that a pass is about, without the lesson's mark and what stands before it.
std::string code_of_pass(const RunResult& result, const trace::WarpEvent& event) {
  const auto line = static_cast<std::size_t>(std::max(result.outcome.first().trace.sites[event.site].line, 1));
  const auto lines = split(result.key.source, '\n');
  if (line > lines.size()) return {};
  const std::string_view code = without_mark(lines[line - 1]);
  const std::size_t begin = code.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string() : std::string(code.substr(begin));
}

}  // namespace

// A step that the side has, to be gone to.
void CompareView::present_step(const Ui& ui, const Side& side, std::size_t index, float names) {
  const Palette& p = ui.colours();
  const PhasePass& pass = made(side).passes[index];
  const std::size_t step = made(side).step_of_pass[index];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, row = ui.px(absent_row), y = at.y + row / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushID(static_cast<int>(step));
  if (pressable("go to", {width, row})) ui.window.afterwards([this, step] { go_to(step); });
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled(at, {at.x + width, at.y + row}, p.hover, ui.px(6));
  }
  const std::string name = pass_name(ui, pass.name, pass.number, pass.count);
  const std::string code = code_of_pass(*side.result, events(side)[pass.telling]);
  const float right = at.x + width - ui.px(8), code_x = at.x + ui.px(8) + names + ui.px(16);
  const float used = draw_text(list, ui.look, type::caption, p.accent, {right, y},
                               fill_in(ui.tr(Label::go_to_step), std::to_string(step + 1)), HAlign::right);
  bool cut = false, code_cut = false;
  draw_text(list, ui.look, type::small, p.text, {at.x + ui.px(8), y}, name, HAlign::left, names + ui.px(1), &cut);
  draw_text(list, ui.look, type::number, p.dim, {code_x, y}, code, HAlign::left, right - used - ui.px(12) - code_x,
            &code_cut);
  if (hovered && (cut || code_cut)) show_hint(ui.look, code, name);
}

// Among the steps that the side has: where the other one is.
void CompareView::absent_step(const Ui& ui, bool is_a) const {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, row = ui.px(absent_row), y = at.y + row / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({at.x, y}, {at.x + width, y}, p.line, ui.px(1));
  const std::string here = pass_name(ui, now_.name, now_.number, now_.count);
  const float text = std::min(ui.look.measure(type::caption, here).x, width - ui.px(60));
  list->AddRectFilled({at.x + ui.px(4), y - ui.px(11)}, {at.x + ui.px(44) + text, y + ui.px(11)}, p.panel);
  badge(ui, !is_a, {at.x + ui.px(18), y});
  draw_text(list, ui.look, type::caption, p.dim, {at.x + ui.px(34), y}, here, HAlign::left, text + ui.px(1));
  ImGui::Dummy({width, row});
}

void CompareView::absent(const Ui& ui, const Side& side, bool is_a, const PanelRect& rect) {
  const Palette& p = ui.colours();
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(14)));
  ImGui::BeginChild("absent", {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const float width = ImGui::GetContentRegionAvail().x;
  paragraph(ui.look, type::small, p.text,
            ui.told(worded("This side has no step \"{}\". One of its own steps may hold the same accesses.",
                           pass_name(ui, now_.name, now_.number, now_.count))),
            width);
  ImGui::Dummy({0, ui.px(10)});
  line_of_text(ui.look, type::small_strong, p.dim, ui.tr(Label::steps_it_has), width, 24);
  const float row = ui.px(absent_row), top = ImGui::GetCursorPosY();
  float names = 0;
  for (const auto& [name, count] : made(side).names)
    names = std::max(names, ui.look.measure(type::small, pass_name(ui, name, count, count)).x);
  names = std::min(names, width * 0.45f);
  const std::vector<std::size_t>& own = made(side).step_of_pass;
  const auto here = static_cast<int>(std::ranges::lower_bound(own, step_) - own.begin());  // its row
  int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("shown step"), -1);
  if (shown != static_cast<int>(step_)) {
    shown = static_cast<int>(step_);
    ImGui::SetScrollY(std::max(0.0f, top + static_cast<float>(here) * row - rect.height / 2));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(own.size()) + 1, row);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      if (i == here)
        absent_step(ui, is_a);
      else
        present_step(ui, side, static_cast<std::size_t>(i < here ? i : i - 1), names);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
