// What a side of the comparing view shows where it has no such step: the steps that it has, each to be gone to, and
// where among them the other side is.

#include <string>

#include "core/text.h"
#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"

namespace lanescope::gui {
namespace {

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

void CompareView::absent(const Ui& ui, const Side& side, bool is_a, const PanelRect& rect) {
  const Palette& p = ui.colours();
  const JointStep& missing = steps_[step_];
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(14)));
  ImGui::BeginChild("absent", {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const float width = ImGui::GetContentRegionAvail().x;
  paragraph(ui.look, type::small, p.text,
            fill_in(ui.tr(Label::no_such_pass), pass_name(ui, missing.name, missing.number, missing.count)), width);
  ImGui::Dummy({0, ui.px(10)});
  line_of_text(ui.look, type::small_strong, p.dim, ui.tr(Label::steps_it_has), width, 24);
  const float row = ui.px(26);
  float names = 0;
  for (const PhasePass& pass : side.passes)
    names = std::max(names, ui.look.measure(type::small, pass_name(ui, pass.name, pass.number, pass.count)).x);
  names = std::min(names, width * 0.45f);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + row / 2;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (i == step_) {  // the other side is here
      list->AddLine({at.x, y}, {at.x + width, y}, p.line, ui.px(1));
      const std::string here = pass_name(ui, missing.name, missing.number, missing.count);
      const float text = std::min(ui.look.measure(type::caption, here).x, width - ui.px(60));
      list->AddRectFilled({at.x + ui.px(4), y - ui.px(11)}, {at.x + ui.px(44) + text, y + ui.px(11)}, p.panel);
      badge(ui, !is_a, {at.x + ui.px(18), y});
      draw_text(list, ui.look, type::caption, p.dim, {at.x + ui.px(34), y}, here, HAlign::left, text + ui.px(1));
      ImGui::Dummy({width, row});
      continue;
    }
    const std::optional<std::size_t>& own = is_a ? steps_[i].a : steps_[i].b;
    if (!own) continue;
    const PhasePass& pass = side.passes[*own];
    ImGui::PushID(static_cast<int>(i));
    if (pressable("go to", {width, row})) ui.window.afterwards([this, i] { go_to(i); });
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (hovered) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list->AddRectFilled(at, {at.x + width, at.y + row}, p.hover, ui.px(6));
    }
    const std::string name = pass_name(ui, pass.name, pass.number, pass.count);
    const std::string code =
        code_of_pass(*side.result, side.result->outcome.first().trace.warp(side.block, side.warp)[pass.telling]);
    const float right = at.x + width - ui.px(8), code_x = at.x + ui.px(8) + names + ui.px(16);
    const float used = draw_text(list, ui.look, type::caption, p.accent, {right, y},
                                 fill_in(ui.tr(Label::go_to_step), std::to_string(i + 1)), HAlign::right);
    bool cut = false, code_cut = false;
    draw_text(list, ui.look, type::small, p.text, {at.x + ui.px(8), y}, name, HAlign::left, names + ui.px(1), &cut);
    draw_text(list, ui.look, type::number, p.dim, {code_x, y}, code, HAlign::left, right - used - ui.px(12) - code_x,
              &code_cut);
    if (hovered && (cut || code_cut)) show_hint(ui.look, code, name);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
